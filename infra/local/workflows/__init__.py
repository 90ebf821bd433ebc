"""The stand-in for Cloud Workflows: deployment, durable executions, and their gRPC and REST faces."""
