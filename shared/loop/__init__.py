"""The loop of model and tools, each answer stored before its calls are run: for turns of chats and steps of runs."""
