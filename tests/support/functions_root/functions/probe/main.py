"""A function that does what its path says."""

import os
import signal
import threading
from pathlib import Path

import flask
import functions_framework


@functions_framework.http
def probe(request):
    action = request.path.rsplit("/", 1)[-1]
    return ACTIONS.get(action, echo)(request)


def echo(request):
    return flask.jsonify(
        function="probe",
        module=probe.__module__,
        method=request.method,
        path=request.full_path,
        body=request.get_data(as_text=True),
        headers=dict(request.headers),
        setting=os.environ.get("PROBE_SETTING"),
        proxies=[name for name in os.environ if name.lower().endswith("_proxy")],
        pid=os.getpid(),
    )


def hang(request):
    """Until the file named in the query is there."""
    waiting = threading.Event()
    while not Path(request.args["until"]).exists():
        waiting.wait(0.01)
    return "done"


def stream(request):
    """Two pieces, the second when the file is there; another file tells that the client has gone."""

    def pieces():
        try:
            yield "data: 1\n\n"
            waiting = threading.Event()
            while not Path(request.args["until"]).exists():
                waiting.wait(0.01)
                yield ": beat\n\n"
            yield "data: 2\n\n"
        except GeneratorExit:
            Path(request.args["gone"]).touch()
            raise

    return flask.Response(pieces(), mimetype="text/event-stream")


def crash(request):
    raise RuntimeError("a handler that fails")


def die(request):
    os.kill(os.getpid(), signal.SIGKILL)


ACTIONS = {"hang": hang, "stream": stream, "crash": crash, "die": die}
