"""Finds records that cannot hold together with a candidate: what it ends, and what it contradicts."""
