"""The functions of the manifest, served by functions-framework behind a private Unix socket."""
