"""What is told of work while it goes on: who works on what, logs of it, and the trace that it is a part of."""
