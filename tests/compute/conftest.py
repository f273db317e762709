"""What the compute process's tests share."""

import pytest

from tests.compute.jobs import Jobs


@pytest.fixture
def jobs():
    jobs = Jobs()
    yield jobs
    jobs.process.close()
