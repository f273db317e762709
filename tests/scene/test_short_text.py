"""Short texts of scenes: what goes in comes out, in few characters, and what is damaged is refused in one line."""

import dataclasses
import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fellview.core.errors import InputError
from fellview.scene import recipe, short_text
from fellview.scene.scene import Scene

BASE = Scene(name="Base").replace({"noise.frequency": 3.0, "erosion.kind": "fluvial"})
KEYS = [f"{key}.{name}" for key, group in Scene().groups().items() for name in group.declarations()]
HARMLESS = re.compile(r"[0-9A-Za-z-]+")
"""What neither addresses nor shells nor Markdown take for something else."""


def written(scene):
    return short_text.to_text(scene, "base", 1, BASE)


def read(text):
    def base(name, revision):
        assert (name, revision) == ("base", 1)
        return BASE

    return short_text.from_text(text, "short text", base)


def some_value(random, declaration):
    """Return any value that a person may have set, by the slider or typed."""
    if declaration.type is bool:
        return random.random() < 0.5
    if declaration.options:
        return random.choice(declaration.options)
    if declaration.colour:
        return f"#{random.randrange(1 << 24):06x}"
    if declaration.type is str:
        return "héllo · world"[: declaration.longest]
    number = random.uniform(*declaration.slider)
    return declaration.clamped(number) if declaration.type is int or random.random() < 0.5 else number


def changed(random, count):
    keys = random.sample(KEYS, count)
    return BASE.replace({key: some_value(random, BASE.find(key)[2]) for key in keys})


@pytest.mark.parametrize("count", [0, 1, 12, len(KEYS)])
def test_a_scene_comes_back_as_it_was(count):
    random = Random(count)
    for _ in range(4):
        scene = changed(random, count)
        text = written(scene)
        assert HARMLESS.fullmatch(text)
        assert short_text.is_short(text)
        assert len(text) <= short_text.LONGEST
        assert read(text) == (scene, [])


def test_name_and_sentence_come_back():
    scene = dataclasses.replace(BASE, name="Käsealm – 5 o’clock", sentence="")
    assert read(written(scene)) == (scene, [])


@given(key=st.sampled_from([key for key in KEYS if BASE.find(key)[2].type is float]), data=st.data())
@settings(deadline=None, max_examples=60)
def test_any_number_comes_back_to_the_last_bit(key, data):
    declaration = BASE.find(key)[2]
    scene = BASE.replace({key: data.draw(st.floats(declaration.low, declaration.high))})
    assert read(written(scene))[0] == scene


def test_a_dozen_values_are_at_most_200_characters():
    """As sliders and the camera set them: numbers of seven digits, and six of all that a double has."""
    random = Random(7)
    moved = {f"camera.{name}": random.uniform(10, 80) for name in ("x", "y", "z", "yaw", "pitch", "field_of_view")}
    for _ in range(10):
        numbers = [key for key in KEYS if BASE.find(key)[2].type is float and not key.startswith("camera.")]
        own = {key: BASE.find(key)[2] for key in random.sample(numbers, 12)}
        slid = {key: declared.clamped(random.uniform(*declared.slider)) for key, declared in own.items()}
        assert len(written(BASE.replace(slid))) <= 180  # with names as long as `rocky-coast`: 187
        six = dict(list(slid.items())[:6])
        assert len(written(BASE.replace(six | moved))) <= 190


def test_no_two_keys_and_no_two_words_of_a_choice_have_one_mark():
    keys = [*KEYS, "name", "sentence"]
    assert len({short_text.key_mark(key) for key in keys}) == len(keys)
    for key in KEYS:
        options = BASE.find(key)[2].options
        assert len({short_text.word_mark(word) for word in options}) == len(options), key


def test_what_mail_and_chat_put_in_does_no_harm():
    scene = BASE.replace({"noise.seed": 77})
    text = written(scene)
    for sent in (f" {text}\n", f"`{text}`", f"<{text}>", f"“{text}”", text[:11] + "\n" + text[11:]):
        assert short_text.is_short(sent)
        assert read(sent)[0] == scene


def test_any_one_changed_or_lost_letter_is_noticed():
    text = written(BASE.replace({"noise.seed": 77, "noise.frequency": 2.5}))
    for at in range(text.rindex("-") + 1, len(text)):
        for damaged in (text[:at] + text[at + 1 :], text[:at] + ("a" if text[at] != "a" else "b") + text[at + 1 :]):
            with pytest.raises(InputError, match="damaged; expected every letter as it was copied"):
                read(damaged)
    with pytest.raises(InputError, match="damaged"):
        read(text.replace("base-1", "base-2"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("fv2-base-1-abc", "version 2 of short texts: expected 1"),
        ("fv1-", "damaged"),
        ("fv1-base-1-", "damaged"),
        ("fv1-base-1-0", "damaged"),
        ("fv1-../../x-1-abc", "damaged"),
        ("fv1-base-1-" + "a" * 9_000, "9,011 characters: expected a short text of at most 8,000"),
    ],
)
def test_what_is_no_short_text_is_refused_in_one_line(text, told):
    with pytest.raises(InputError, match=told) as refused:
        read(text)
    assert "\n" not in str(refused.value)


def test_what_a_newer_version_says_is_refused_by_name(monkeypatch):
    monkeypatch.setattr(short_text, "key_mark", lambda key: b"new")
    text = written(BASE.replace({"noise.seed": 5}))
    monkeypatch.undo()
    with pytest.raises(InputError, match="a parameter that is not known here: a newer Fellview wrote it"):
        read(text)
    monkeypatch.setattr(short_text, "word_mark", lambda word: b"nw")
    text = written(BASE.replace({"erosion.kind": "thermal"}))
    monkeypatch.undo()
    with pytest.raises(InputError, match=r"erosion\.kind: a choice that is not known here; expected one of"):
        read(text)


def test_values_are_held_to_their_ranges(monkeypatch):
    scene = BASE.replace({"sun.elevation": 60.0})
    object.__setattr__(scene.sun, "elevation", 6_000.0)  # as one with wider limits might have
    with pytest.raises(InputError, match=r"sun\.elevation = 6000\.0: expected"):
        read(written(scene))


def test_a_step_that_has_changed_since_is_told_of():
    text = written(BASE)
    step = next(step for step in short_text.STEPS if step.key == "noise")
    changed_step = dataclasses.replace(step, revision=step.revision + 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(short_text, "STEPS", [changed_step if one is step else one for one in short_text.STEPS])
        scene, notices = read(text)
    assert scene == BASE
    assert notices == ["short text: a step has changed since this was copied, so the heights may differ"]


def test_recipes_are_not_taken_for_short_texts():
    assert not short_text.is_short(recipe.to_text(BASE))
    assert not short_text.is_short("fv.toml")
