"""The HTTP API: one route table drives dispatch and OpenAPI; everything else is the adapter around the capabilities."""
