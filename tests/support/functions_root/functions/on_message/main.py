"""A function that writes down the messages it gets."""

import json
import os
from pathlib import Path

import functions_framework


@functions_framework.cloud_event
def on_message(event):
    line = {"function": "on_message", **event.get_attributes(), "data": event.data}
    with (Path(os.environ["PROBE_RECORDS"]) / "events.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")
