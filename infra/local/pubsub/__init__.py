"""Pub/Sub: topics and subscriptions over gRPC, on SQLite."""
