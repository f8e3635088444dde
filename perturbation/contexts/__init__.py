"""What the pipeline's pages show, gathered into frozen dataclasses: one module a page."""
