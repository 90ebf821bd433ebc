"""Small clients of other services; what they raise is of our own error tree."""
