"""Scripts that run inside the sandbox beside the program. Never imported by the application."""
