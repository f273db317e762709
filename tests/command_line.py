"""What tests of the command line share."""

SMALL = ("--set", "grid.rows=32", "--set", "grid.columns=48")


def refused(outcome, *parts):
    """Assert that `outcome` is exit status 2 after one line that has all `parts`."""
    status, out, err = outcome
    assert status == 2 and out == ""
    assert err.startswith("fellview: ") and err.count("\n") == 1 and err.endswith("\n")
    assert all(str(part) in err for part in parts), err
