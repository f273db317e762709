"""Questions for a file and forms to fill in, one at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fellview.ui.export_dialog import ExportDialog
from fellview.ui.file_dialog import FileDialog
from fellview.ui.form_dialog import FormDialog

Dialog = FileDialog | ExportDialog


class Dialogs:
    """Holds the dialog that is open, and what is done with its answer."""

    def __init__(self, redraw: Callable[[], None]) -> None:
        self.folder = Path.home()
        """Where the next dialog opens."""
        self._redraw = redraw
        self._question: tuple[Dialog, Callable[[Path], None]] | None = None
        self._form: tuple[FormDialog, Callable[[Any], None]] | None = None

    @property
    def polls(self) -> bool:
        """Return whether the dialog that is open changes without an event."""
        return self._question is not None and self._question[0].polls

    def ask(self, dialog: Dialog, then: Callable[[Path], None]) -> None:
        """Have `dialog` ask for a file and hand the answer to `then`; one question at a time."""
        if self._question is None and self._form is None:
            self._question = (dialog, then)
            self._redraw()

    def fill(self, form: FormDialog, then: Callable[[Any], None]) -> None:
        """Have `form` filled in and hand what was accepted to `then`; one question at a time."""
        if self._question is None and self._form is None:
            self._form = (form, then)
            self._redraw()

    def draw(self) -> Callable[[], None] | None:
        """Draw the dialog that is open; return what is to be done with its answer once there is one."""
        if self._form is not None:
            return self._draw_form(*self._form)
        if self._question is None:
            return None
        dialog, _ = self._question
        dialog.draw()
        return self.answer(dialog.path) if dialog.done else None

    def _draw_form(self, form: FormDialog, then: Callable[[Any], None]) -> Callable[[], None] | None:
        form.draw()
        if not form.done:
            return None
        self._form = None
        answer = form.answer
        return None if answer is None else lambda: then(answer)

    def answer(self, path: Path | None) -> Callable[[], None] | None:
        """End the question with `path`, None where nothing was chosen; return what is to be done with the answer."""
        question, self._question = self._question, None
        if question is None or path is None:
            return None
        self.folder = path.parent
        _, then = question
        return lambda: then(path)

    def drop(self) -> None:
        """Close what is open, without an answer."""
        self._question = self._form = None
