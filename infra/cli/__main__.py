"""`python -m infra.cli` is `memex`."""

from infra.cli.main import main

main()
