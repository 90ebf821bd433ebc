"""What is told of work while it goes on."""
