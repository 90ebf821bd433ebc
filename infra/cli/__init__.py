"""The command line: `memex`, through which a person starts the local cloud and uses Memex."""
