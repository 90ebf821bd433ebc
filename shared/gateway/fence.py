"""What a worker puts around itself before it opens what strangers made: time, memory, disk and reach all end.

The worker that reads pages imports nothing of ours but this, so this imports nothing of ours.
"""

from __future__ import annotations

import sys

_REACHING = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto")
_STARTING = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork")


def fence(*, cpu_seconds: int, file_bytes: int, memory_bytes: int | None) -> None:
    """From now on no network, no other process, and only so much time, disk and (unless None) memory."""
    sys.addaudithook(_stay_here)
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory_bytes:
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    except (ImportError, ValueError, OSError):
        return  # not every system has all of them; the deadline and the hook hold everywhere


def _stay_here(event: str, _arguments: tuple[object, ...]) -> None:
    if event in _REACHING or event in _STARTING:
        raise PermissionError(f"a worker may not: {event}")
