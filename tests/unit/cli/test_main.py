"""The command as a whole: its help, and how little it loads for it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from infra.cli.main import memex

GROUPS = {
    "note": ("add", "list", "show", "tag", "samples"),
    "ops": ("list", "show", "watch", "cancel"),
    "plan": ("list", "show", "edit", "change", "approve", "drop"),
    "token": ("new", "rotate", "list", "retire", "revoke"),
    "task": ("add", "list", "done", "edit", "delete"),
    "approval": ("list", "show", "approve", "reject"),
    "routine": ("run",),
    "brain": ("agents", "jobs", "run", "retry", "cancel", "why", "recall"),
    "sessions": ("list", "show", "forget", "copy"),
    "run": ("start", "list", "show", "watch", "cancel"),
    "document": ("add", "list", "show", "search", "get", "delete"),
    "notes": ("export", "import"),
    "workspace": ("create", "list", "show", "delete", "restore"),
}
COMMANDS = [
    "up",
    "demo",
    "note",
    "research",
    "plan",
    "ops",
    "chat",
    "sessions",
    "run",
    "search",
    "document",
    "task",
    "approval",
    "brain",
    "routine",
    "whoami",
    "token",
    "health",
    "pause",
    "resume",
    "workspace",
    "usage",
    "tail",
    "notes",
    "export",
    "import",
    "bill",
]
NESTED = [[group, name] for group, names in GROUPS.items() for name in names]


@pytest.mark.parametrize("command", [[], *[[name] for name in COMMANDS], *NESTED], ids=" ".join)
def test_everything_has_help(command: list[str]) -> None:
    result = CliRunner().invoke(memex, [*command, "--help"])
    assert result.exit_code == 0 and len(result.stdout) > 100
    leaf = bool(command) and command not in [[group] for group in (*GROUPS, "chat")]
    assert not leaf or "--json" in result.stdout


def test_the_list_of_commands_is_complete() -> None:
    assert memex.list_commands(None) == COMMANDS  # type: ignore[arg-type]


def test_the_version_is_said() -> None:
    assert CliRunner().invoke(memex, ["--version"]).stdout.startswith("memex 0.")


def test_what_nobody_knows_is_wrong_usage() -> None:
    assert CliRunner().invoke(memex, ["nonsense"]).exit_code == 2
    assert CliRunner().invoke(memex, ["note", "list", "--nonsense"]).exit_code == 2


@pytest.mark.parametrize("setting", ["FOO=bar", "research_backend=vertex", "SSE_SECOND=1", "PATH=/"])
def test_a_setting_there_is_not_is_wrong_usage_that_names_it(setting: str) -> None:
    result = CliRunner().invoke(memex, ["up", "--ephemeral", "--set", setting])
    assert result.exit_code == 2
    assert f"There is no setting {setting.partition('=')[0]!r}" in result.stderr


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "-1", "0", "x"])
@pytest.mark.parametrize("command", [["up", "--run-seconds"], ["demo", "--timeout"], ["ops", "watch", "--timeout"]])
def test_seconds_are_a_finite_number_greater_than_0(command: list[str], value: str) -> None:
    assert CliRunner().invoke(memex, [*command, value]).exit_code == 2


@pytest.mark.parametrize(
    "command",
    [
        ["note", "add", "\udcff\udcfe"],
        ["note", "add", "--title", "\udcff", "text"],
        ["note", "add", "--tag=\udcff", "text"],
        ["note", "list", "--q", "\udcff"],
        ["note", "show", "\udcff"],
        ["ops", "watch", "--token", "secret\udcff"],
        ["up", "--set", "A=\udcff"],
        ["\udcff"],
    ],
    ids=ascii,
)
def test_an_argument_that_is_not_utf_8_is_wrong_usage_and_not_shown(command: list[str]) -> None:
    result = CliRunner().invoke(memex, command)
    assert result.exit_code == 2
    assert "is not UTF-8" in result.stderr and "secret" not in result.stderr


@pytest.mark.parametrize("where", [["--data", "\udcff"], ["--data=\udcff"]], ids=ascii)
def test_a_folder_may_have_a_name_that_is_not_utf_8(where: list[str]) -> None:
    result = CliRunner().invoke(memex, ["bill", *where])
    assert result.exit_code == 1
    assert "No Memex is running here" in result.stderr


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from infra.cli.main import main; sys.argv = ['memex', 'ops', 'watch', '--help']\n"
        "try: main()\nexcept SystemExit: pass\n"
        "heavy = {'httpx', 'grpc', 'rich', 'pydantic', 'google', 'flask'} & set(sys.modules)\n"
        "sys.exit(', '.join(sorted(heavy)) or 0)"
    )
    done = subprocess.run([sys.executable, "-S", "-c", _with_site(code)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def _with_site(code: str) -> str:
    """The code with the packages on the path, without what .pth files import at the start."""
    return f"import sys; sys.path[:0] = {sys.path!r}\n{code}"
