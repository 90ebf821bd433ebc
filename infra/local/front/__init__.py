"""The one HTTP port: the page, the public functions, the services' REST paths, IAM before private functions."""
