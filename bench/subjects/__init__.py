"""One module a subject; each has `run(lab) -> Iterator[Row]`."""
