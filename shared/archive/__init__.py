"""The archive of trace events in object storage: a piece for each as it comes, a compressed file for each day."""
