"""The diff of a program and its 5-point parent: two texts in, one frozen DiffView out. No Django, no clock."""
