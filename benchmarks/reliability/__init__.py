"""What the promise of reliability is measured by: ``python -m benchmarks.reliability --help``.

The pages, servers and spiders are those of the tests, so that both speak of the same.
"""

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2] / "tests"
if str(TESTS) not in sys.path:
    sys.path.append(str(TESTS))
