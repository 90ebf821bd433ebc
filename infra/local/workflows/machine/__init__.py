"""The interpreter: an explicit stack machine whose whole state is data."""
