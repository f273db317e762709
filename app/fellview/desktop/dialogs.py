"""Questions for a file and forms to fill in, one at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fellview.ui.file_dialog import FileDialog
from fellview.ui.form_dialog import FormDialog

Dialog = FileDialog | FormDialog


class Dialogs:
    """Holds the dialog that is open, and what is done with its answer."""

    def __init__(self, redraw: Callable[[], None]) -> None:
        self.folder = Path.home()
        """Where the next dialog opens."""
        self.exported: Path | None = None
        """The folder that the last export went into, which the next one proposes."""
        self._redraw = redraw
        self._question: tuple[Dialog, Callable[[Any], None]] | None = None

    @property
    def polls(self) -> bool:
        """Return whether the dialog that is open changes without an event."""
        return self._question is not None and self._question[0].polls

    def ask(self, dialog: Dialog, then: Callable[[Any], None]) -> None:
        """Have `dialog` ask and hand its answer to `then`; one question at a time."""
        if self._question is None:
            self._question = (dialog, then)
            self._redraw()

    def draw(self) -> Callable[[], None] | None:
        """Draw the dialog that is open; return what is to be done with its answer once there is one."""
        if self._question is None:
            return None
        dialog, _ = self._question
        dialog.draw()
        return self.answer(dialog.answer) if dialog.done else None

    def answer(self, answer: Any) -> Callable[[], None] | None:
        """End the question with `answer`, None where there is none; return what is to be done with it."""
        question, self._question = self._question, None
        if question is None or answer is None:
            return None
        if isinstance(answer, Path):
            self.folder = answer.parent
        _, then = question
        return lambda: then(answer)

    def drop(self) -> None:
        """Close what is open, without an answer."""
        self._question = None
