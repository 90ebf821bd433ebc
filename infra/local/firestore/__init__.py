"""A stand-in for Cloud Firestore: gRPC `google.firestore.v1.Firestore` on SQLite."""
