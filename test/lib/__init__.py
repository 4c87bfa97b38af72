"""What the suites of this folder have in common.

    suite      cases, how each went, and the last line, `N passed, M failed`
    building   programs, compiled for an MPI library, unless that was done before
    running    commands with a time limit, and what came out
    leftovers  processes, files and shared memory that are there afterwards and should not be
"""


class Failure(Exception):
    """A case did not pass; the text says why."""
