"""One module a command; imported when the command is called, so that `memex` starts quickly."""
