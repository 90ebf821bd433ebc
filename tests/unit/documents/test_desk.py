"""Calculating with tables and drawing them: one SELECT, no way out, pictures of the document's rows alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shared.contracts.documents import Document
from shared.documents.charts import with_rows
from shared.documents.desk import ROWS_ANSWERED
from shared.documents.querying import query
from shared.documents.refusals import Refused
from shared.errors import NotFound
from shared.gateway.transport import Cut, TransportError
from shared.tools.catalogue import acting
from shared.tools.registry import Outcome
from tests.support import files
from tests.support.jobs import FakeServices, job
from tests.support.seams import FakeClock
from tests.unit.documents.shelf import Shelf

pytestmark = pytest.mark.slow

BARS = {"mark": "bar", "encoding": {"x": {"field": "city", "type": "nominal"}, "y": {"field": "price"}}}


@pytest.fixture
def prices(shelf: Shelf) -> Document:
    return shelf.extracted("prices.xlsx", files.prices())


def call(shelf: Shelf, tool: str, **arguments: Any) -> Outcome:
    services = FakeServices(shelf.store, files=shelf.objects)
    return acting().call(job(shelf.store, FakeClock(), services=services), tool, arguments)


def rows(shelf: Shelf, document: Document, sql: str) -> list[dict[str, Any]]:
    outcome = call(shelf, "analyse_dataframe", document_id=document.id, sql=sql)
    assert outcome.ok, outcome.result
    return list(outcome.result["rows"])


def test_a_select_calculates_with_typed_columns(shelf: Shelf, prices: Document) -> None:
    assert rows(shelf, prices, "SELECT avg(price) AS mean, min(since) AS first FROM data") == [
        {"mean": 10.75, "first": "2026-01-02"}
    ]
    assert rows(shelf, prices, "SELECT city FROM prices ORDER BY price") == [{"city": "Graz"}, {"city": "Linz"}]
    assert rows(shelf, prices, "SELECT remark FROM notes") == [{"remark": "none"}]


def test_without_sql_the_tables_are_told(shelf: Shelf, prices: Document) -> None:
    outcome = call(shelf, "analyse_dataframe", document_id=prices.id, question="What is the mean price?")
    assert outcome.ok and outcome.result["tables"][0]["columns"][1] == "price (number)"


def test_a_csv_has_one_table_and_only_so_many_rows_are_answered(shelf: Shelf) -> None:
    text = "n;square\n" + "\n".join(f"{n};{n * n}" for n in range(1_000))
    document = shelf.extracted("squares.csv", text.encode())
    outcome = call(
        shelf, "analyse_dataframe", document_id=document.id, sql="SELECT n, square AS n FROM data ORDER BY 1"
    )
    assert outcome.ok and outcome.result["columns"] == ["n", "n 2"] and "cut" in outcome.result
    found = rows(shelf, document, f"SELECT count(*) AS c, max(square) AS m FROM (SELECT * FROM data LIMIT {1_000})")
    assert found == [{"c": 1_000, "m": 998_001}] and len(outcome.result["rows"]) <= ROWS_ANSWERED


ESCAPES = [
    "SELECT 1; SELECT 2",
    "COPY data TO '/tmp/memex-escape.csv'",
    "CREATE TABLE x AS SELECT 1",
    "DROP TABLE data",
    "ATTACH '/tmp/x.db'",
    "INSTALL httpfs",
    "SET memory_limit = '10GB'",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM read_text('/proc/self/environ')",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM read_csv('https://127.0.0.1:9/x.csv')",
    "SELEC nonsense",
    "",
    " ",
]


@pytest.mark.parametrize("sql", ESCAPES)
def test_nothing_but_one_select_on_the_documents_tables_is_run(tmp_path: Path, sql: str) -> None:
    path = tmp_path / "original"
    path.write_text("city,price\nLinz,12\n")
    with pytest.raises(Refused, match="tables are data") as caught:
        query({"path": str(path), "type": "csv", "sql": sql, "rows": 10})
    assert caught.value.reason == "sql"


@pytest.mark.slow
def test_a_query_without_end_is_ended(shelf: Shelf, prices: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.documents.desk.QUERY_SECONDS", 3.0)
    endless = "SELECT count(*) FROM range(10000000000) a, range(1000000) b WHERE hash(a.range + b.range) = 1"
    outcome = call(shelf, "analyse_dataframe", document_id=prices.id, sql=endless)
    assert not outcome.ok


def test_a_query_ends_when_its_call_is_cut(shelf: Shelf, prices: Document) -> None:
    cut = Cut()
    cut.cut("cancelled")
    with pytest.raises(TransportError, match="cancelled"):
        FakeServices(shelf.store, files=shelf.objects).desk.query(prices.id, "SELECT 1", cut)


def test_a_document_without_tables_says_so(shelf: Shelf) -> None:
    document = shelf.extracted("a.txt", b"words")
    outcome = call(shelf, "analyse_dataframe", document_id=document.id, sql="SELECT 1")
    assert not outcome.ok and "csv and xlsx" in str(outcome.result)


def test_a_plot_is_stored_once_for_its_call_and_goes_with_its_document(shelf: Shelf, prices: Document) -> None:
    asked = {"document_id": prices.id, "spec": BARS, "title": "Prices"}
    outcome, again = call(shelf, "make_plot", **asked), call(shelf, "make_plot", **asked)
    assert outcome.ok, outcome.result
    assert again.result == outcome.result and outcome.result["svg"].endswith(".svg")
    name = outcome.result["svg"].rpartition("/")[2]
    svg = b"".join(shelf.documents.artifact(shelf.workspace, prices.id, name))
    png = b"".join(shelf.documents.artifact(shelf.workspace, prices.id, name.replace(".svg", ".png")))
    assert svg.startswith(b"<svg") and b"Linz" in svg and png.startswith(b"\x89PNG")
    for missing in ("other.svg", "../original", "..%2foriginal"):
        with pytest.raises(NotFound):
            shelf.documents.artifact(shelf.workspace, prices.id, missing)
    shelf.documents.delete(shelf.workspace, prices.id)
    assert not list(shelf.objects.list("workspaces"))


@pytest.mark.parametrize(
    "spec",
    [
        {**BARS, "layer": [{"data": {"url": "http://127.0.0.1:9/x.json"}, "mark": "bar"}]},
        {"mark": "image", "encoding": {"url": {"field": "city"}}},
        {"mark": "bar", "encoding": {"href": {"field": "city"}}},
        {**BARS, "datasets": {"x": []}},
        {**BARS, "transform": [{"lookup": "city", "from": {"data": {"url": "file:///etc/passwd"}, "key": "x"}}]},
        {**BARS, "description": "x" * 60_000},
    ],
)
def test_a_chart_that_brings_or_fetches_data_is_refused(spec: dict[str, Any]) -> None:
    with pytest.raises(Refused) as caught:
        with_rows(spec, [])
    assert caught.value.reason == "spec"


def test_a_chart_nested_without_end_is_refused() -> None:
    spec: dict[str, Any] = {}
    for _ in range(200):
        spec = {"layer": [spec]}
    with pytest.raises(Refused, match="deep"):
        with_rows(spec, [])


def test_what_is_no_chart_is_told_by_the_library(shelf: Shelf, prices: Document) -> None:
    outcome = call(shelf, "make_plot", document_id=prices.id, spec={"mark": 7})
    assert not outcome.ok and "chart" in str(outcome.result)
