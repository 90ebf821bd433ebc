"""Message types without the clients, in a fresh process each time."""

from __future__ import annotations

import subprocess
import sys

import pytest


def run(code: str) -> str:
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_types_come_without_the_clients() -> None:
    code = (
        "import sys\n"
        "from infra.local.lazy_packages import only_messages\n"
        "with only_messages():\n"
        "    from google.pubsub_v1 import types\n"
        "    from google.cloud.firestore_v1.types import document\n"
        "    from google.cloud.workflows.executions_v1.types import executions\n"
        "print(types.Topic(name='t').name, document.Document(name='d').name, 'google.auth' in sys.modules)\n"
    )
    assert run(code) == "t d False"


def test_clients_imported_afterwards_work_on_the_same_types() -> None:
    code = (
        "from infra.local.lazy_packages import only_messages\n"
        "with only_messages():\n"
        "    from google.pubsub_v1.types import Topic\n"
        "from google.cloud import firestore, pubsub_v1\n"
        "from google.cloud.workflows import executions_v1\n"
        "import google.pubsub_v1, google.cloud.workflows\n"
        "print(google.pubsub_v1.PublisherClient.__name__, google.pubsub_v1.Topic is Topic,\n"
        "      executions_v1.ExecutionsClient.__name__, google.cloud.workflows.WorkflowsClient.__name__,\n"
        "      firestore.Client.__name__, pubsub_v1.PublisherClient.__name__)\n"
    )
    assert run(code) == "PublisherClient True ExecutionsClient WorkflowsClient Client PublisherClient"


@pytest.mark.parametrize(
    "first",
    [
        "from google.cloud.workflows.executions_v1 import ExecutionsClient",
        "from google.cloud.workflows_v1.services.workflows import WorkflowsClient",
        "from google.pubsub_v1 import PublisherClient",
        "from google.cloud.firestore_v1.services.firestore import FirestoreClient",
        "from google.cloud import workflows",
        "from google.cloud.firestore import Client",
    ],
)
def test_any_client_may_be_the_first(first: str) -> None:
    code = f"from infra.local.lazy_packages import only_messages\nwith only_messages(): pass\n{first}\nprint('well')"
    assert run(code) == "well"


def test_clients_imported_before_are_left_alone() -> None:
    code = (
        "import google.pubsub_v1 as before\n"
        "from infra.local.lazy_packages import only_messages\n"
        "with only_messages():\n    pass\n"
        "import google.pubsub_v1\n"
        "print(google.pubsub_v1 is before)\n"
    )
    assert run(code) == "True"


def test_threads_that_ask_at_once_all_get_the_client() -> None:
    code = (
        "import threading\n"
        "from infra.local.lazy_packages import only_messages\n"
        "with only_messages():\n    pass\n"
        "import google.pubsub_v1 as package\n"
        "found = []\n"
        "threads = [threading.Thread(target=lambda: found.append(package.PublisherClient)) for _ in range(8)]\n"
        "[thread.start() for thread in threads]\n"
        "[thread.join() for thread in threads]\n"
        "print(len(found), len(set(found)))\n"
    )
    assert run(code) == "8 1"
