"""What the research service tells unasked: that there is something to look at."""
