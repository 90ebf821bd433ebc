"""Firestore: the only package that knows of it, and it loads the client library only when a client is made."""
