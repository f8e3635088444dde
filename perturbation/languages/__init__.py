"""The languages that programs are written in: grammar, parsing, and how their tests are run.

Never runs a program but in the sandbox; knows no database row.
"""
