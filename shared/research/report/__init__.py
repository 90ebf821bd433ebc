"""From the steps of a run to a cited text: pure functions of the service's JSON, whatever its shape."""
