"""The session stores: where the checkpoint of a conversation lies, behind one port."""
