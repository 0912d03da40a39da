"""The progress of a run, so that ``--resume`` continues it without duplicates or gaps.

Beside the output is a folder ``OUTPUT.progress`` until the run is finished. Its state says how many
stored pages are done, and where the output ended then. State and output agree at every checkpoint:
the output is written to the disk first, then the new state replaces the old one.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import monotonic
from typing import IO, Any

from scrapy_cetr.commands.errors import UsageError

# Seconds between two checkpoints: what a crash costs at most.
CHECKPOINT_SECONDS = 1.0


@dataclass(slots=True)
class State:
    """What is done at a checkpoint.

    ``pages`` counts the stored pages, ``urls_size`` and ``signatures_size`` are the valid sizes of
    two files, ``position`` is that of the output, and ``counts`` are for the summary.
    """

    run: Mapping[str, Any]
    pages: int = 0
    urls_size: int = 0
    signatures_size: int = 0
    position: int = 0
    counts: dict[str, int] = field(default_factory=dict)


class Journal:
    """The progress folder of one output."""

    def __init__(self, output: Path) -> None:
        self.folder = output.with_name(f"{output.name}.progress")
        self.parts = self.folder / "parts"
        self._state = self.folder / "state.json"
        self._last = monotonic()

    @property
    def exists(self) -> bool:
        """Whether a run was stopped before its end."""
        return self._state.exists()

    def begin(self, run: Mapping[str, Any]) -> State:
        """Start a new run."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        state = State(run)
        # At once: the output of a run that is killed early is not complete either.
        self.save(state)
        return state

    def resume(self, run: Mapping[str, Any]) -> State:
        """Return the state of the run that was stopped; it must have had the same arguments."""
        try:
            state = State(**json.loads(self._state.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise UsageError(
                f"{self._state} cannot be read ({error}); delete {self.folder} to start again"
            ) from error
        # Through JSON, because the stored values were written as JSON.
        for name, value in json.loads(json.dumps(run)).items():
            if state.run.get(name) != value:
                raise UsageError(
                    f"--resume needs the same {name} as before: {_short(state.run.get(name))},"
                    f" not {_short(value)}; delete {self.folder} to start again"
                )
        return state

    def open(self, name: str, size: int) -> IO[bytes]:
        """Open a file of the folder for reading and appending; drop everything after ``size``."""
        file = (self.folder / name).open("a+b")
        file.truncate(size)
        file.seek(0)
        return file

    def is_due(self) -> bool:
        """Return whether it is time for a checkpoint."""
        return monotonic() - self._last >= CHECKPOINT_SECONDS

    def save(self, state: State) -> None:
        """Replace the state on the disk."""
        written = self._state.with_suffix(".tmp")
        with written.open("w", encoding="utf-8") as file:
            json.dump(asdict(state), file)
            file.flush()
            os.fsync(file.fileno())
        written.replace(self._state)
        self._last = monotonic()

    def finish(self) -> None:
        """Remove the folder: the output is complete."""
        # First of all, as a state without the other files could not be continued.
        self._state.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
