"""Syntax trees of brace languages: nodes, exact edits, layout, names. Shared by every rewrite; owns no rule."""
