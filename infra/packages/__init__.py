"""What is deployed of each function: its zip, the requirements in it, how it loads, and what all of it is made of."""
