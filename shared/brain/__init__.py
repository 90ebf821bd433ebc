"""The brain: small agents that turn what was captured and said into memory, job by job."""
