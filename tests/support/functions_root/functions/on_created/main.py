"""A function that writes down the events it gets."""

import json
import os
from pathlib import Path

import functions_framework


@functions_framework.cloud_event
def on_created(event):
    folder = os.environ.get("PROBE_RECORDS")
    if folder is None:
        raise RuntimeError("there is nowhere to write to")
    line = {"function": "on_created", **event.get_attributes(), "bytes": len(event.data)}
    with (Path(folder) / "events.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")
