"""The local cloud on the benchmark's project, in a process of its own; prints its addresses, ends on SIGTERM."""

from __future__ import annotations

import argparse
import json
import os
import signal
import threading
from pathlib import Path

from infra.local.cloud import CloudConfig, LocalCloud

HANDED_ON = "BENCH_"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--functions", choices=("process", "none"), default="none")
    parser.add_argument("--data", type=Path)
    arguments = parser.parse_args()
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    env = {name: value for name, value in os.environ.items() if name.startswith(HANDED_ON)}
    root = Path(__file__).parent / "project"
    cloud = LocalCloud(CloudConfig(root, arguments.data, functions=arguments.functions, env=env))
    try:
        addresses = cloud.start()
        print(json.dumps({"http": addresses.http, "grpc": addresses.grpc, "token": addresses.token}), flush=True)
        stop.wait()
    finally:
        cloud.close()


if __name__ == "__main__":
    main()
