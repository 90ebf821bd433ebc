"""Writes down which document it was called for, and when."""

from __future__ import annotations

import os
import time

import functions_framework
from cloudevents.http import CloudEvent


@functions_framework.cloud_event
def on_item(event: CloudEvent) -> None:
    """One line for each call: the document's path, and the monotonic nanoseconds, which all processes share."""
    line = f"{event['subject']} {time.monotonic_ns()}\n"
    with open(os.environ["BENCH_CALLS"], "a", encoding="utf-8") as file:
        file.write(line)
