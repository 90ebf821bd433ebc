"""A function that says what it was called with."""

import flask


def guarded(request):
    return flask.jsonify(
        function="guarded",
        path=request.full_path,
        authorization=request.headers.get("Authorization", ""),
        serverless=request.headers.get("X-Serverless-Authorization", ""),
    )
