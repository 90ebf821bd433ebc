"""Work that outlasts a request: an execution of a workflow drives it, claims it, and ends it, once."""
