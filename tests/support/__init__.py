"""What the tests share: builders, the local cloud as a fixture, the guard of the network."""
