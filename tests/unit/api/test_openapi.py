"""The OpenAPI document says what the route table does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from shared.api.openapi import openapi
from shared.api.route import Route
from shared.api.table import ROUTES
from tests.support.http import api_client, make_app
from tests.support.seams import FakeClock


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for item in value.values():
            yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def test_it_is_served_without_a_token() -> None:
    answer = api_client(make_app(FakeClock())).get("/api/v1/openapi.json")
    assert answer.status_code == 200 and answer.json == json.loads(json.dumps(openapi()))
    assert answer.json["openapi"] == "3.1.0"


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_route_is_there(route: Route) -> None:
    operation = openapi()["paths"][f"/api/v1{route.path}"][route.method.lower()]
    names = {parameter["name"] for parameter in operation["parameters"]}
    assert names >= {parameter.name for parameter in route.query}
    assert ("id" in names) == ("{id}" in route.path)
    assert str(route.status) in operation["responses"] and ("requestBody" in operation) == (
        route.body is not None or route.upload
    )
    assert {"413", "415"} <= set(operation["responses"]) or route.body is None
    assert {"401", "403", "429"} <= set(operation["responses"]) and operation["x-role"] == route.least_role


def test_every_reference_leads_somewhere() -> None:
    schemas = openapi()["components"]["schemas"]
    found = set(references(openapi()))
    assert found and {reference.removeprefix("#/components/schemas/") for reference in found} <= set(schemas)


def test_no_two_operations_have_the_same_name() -> None:
    names = [operation["operationId"] for path in openapi()["paths"].values() for operation in path.values()]
    assert len(names) == len(set(names))


def test_the_feed_alone_is_said_to_need_no_token() -> None:
    paths = openapi()["paths"]
    open_ones = {path for path, methods in paths.items() for one in methods.values() if one.get("security") == []}
    assert open_ones == {"/api/v1/feed/{id}", "/api/v1/openapi.json"}
