"""What differs between two scenes, in words and values: a line for each parameter, in the panel's order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fellview.core import wording
from fellview.core.parameters import Declaration, Group, Value
from fellview.scene.scene import Scene
from fellview.variants.chance import at_work

_LONGEST = 48  # letters of a text, such as a path, of which a line shows the end


@dataclass(frozen=True)
class Difference:
    """A parameter in which two scenes differ: its values, and the same in words with units."""

    key: str
    """Such as ``noise.frequency``, as ``--set`` takes it."""
    title: str
    """As undo calls it: ``Noise: frequency``."""
    old: Value
    new: Value
    old_text: str
    new_text: str

    @property
    def change(self) -> str:
        """Both values in words: ``8 cycles → 12 cycles``."""
        return f"{self.old_text} → {self.new_text}"


def differences(old: Scene, new: Scene, *, looks: bool = True) -> tuple[Difference, ...]:
    """Return the parameters in which `new` differs from `old`, in the panel's order.

    What has no effect in either of them is left out: parameters of what is switched off, and of kinds that neither has.
    So is, without `looks`, what undo leaves as it is: camera, view mode and figure.
    """
    working_old, working_new = ({group.key for group in at_work(one)} for one in (old, new))
    theirs = new.groups()
    return tuple(
        _difference(was, name, getattr(theirs[key], name))
        for key, was in old.groups().items()
        for name, declaration in was.declarations().items()
        if getattr(was, name) != getattr(theirs[key], name)
        and (looks or declaration.undoable)
        and ((key in working_old and was.shows(name)) or (key in working_new and theirs[key].shows(name)))
    )


def _difference(group: Group, name: str, new: Value) -> Difference:
    declaration, old = group.declaration(name), getattr(group, name)
    title = f"{group.title}: {declaration.label.lower()}"
    texts = wording.in_words(declaration, old), wording.in_words(declaration, new)
    if texts[0] == texts[1]:  # in the few digits that a person reads
        texts = _in_full(declaration, old), _in_full(declaration, new)
    return Difference(f"{group.key}.{name}", title, old, new, *(_ending(text) for text in texts))


def _in_full(declaration: Declaration, value: Value) -> str:
    return f"{value!r} {declaration.unit}".strip()


def _ending(text: str) -> str:
    """Return the end of a long text, where paths differ; two quotation marks for none."""
    return "…" + text[-_LONGEST:] if len(text) > _LONGEST else text or '""'


def text(found: Sequence[Difference]) -> str:
    """Return a line for each of `found`, its columns in line: key, title, old and new value."""
    keys, titles = (max((len(one) for one in column), default=0) for column in _columns(found))
    return "".join(f"{one.key:{keys}}  {one.title:{titles}}  {one.change}\n" for one in found)


def _columns(found: Sequence[Difference]) -> tuple[list[str], list[str]]:
    return [one.key for one in found], [one.title for one in found]
