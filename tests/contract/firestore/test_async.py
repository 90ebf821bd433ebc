"""The asynchronous client against the same service."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter


def run(main: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(main, 60))


def test_documents_queries_and_batches(project: str) -> None:
    async def main() -> None:
        client = firestore.AsyncClient(project=project)
        collection = client.collection("a")
        batch = client.batch()
        for number in range(5):
            batch.set(collection.document(f"d{number}"), {"n": number})
        await batch.commit()
        query = collection.where(filter=FieldFilter("n", ">=", 3))
        assert [each.id async for each in query.stream()] == ["d3", "d4"]
        assert (await collection.document("d0").get()).to_dict() == {"n": 0}
        assert (await collection.count(alias="n").get())[0][0].value == 5

    run(main())


def test_concurrent_transactions(project: str) -> None:
    async def main() -> None:
        client = firestore.AsyncClient(project=project)
        document = client.document("a/counter")
        await document.set({"n": 0})

        @firestore.async_transactional
        async def add(transaction: firestore.AsyncTransaction) -> None:
            snapshot = await document.get(transaction=transaction)
            transaction.update(document, {"n": snapshot.get("n") + 1})

        await asyncio.gather(*(add(client.transaction()) for _ in range(6)))
        assert (await document.get()).get("n") == 6

    run(main())
