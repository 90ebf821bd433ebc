"""Sessions in the session service of Vertex AI, under a reasoning engine, over REST."""
