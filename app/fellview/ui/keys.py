"""Key numbers as GLFW gives them, and what Dear ImGui calls those keys."""

from __future__ import annotations

from imgui_bundle import imgui

SHIFT, CONTROL, ALT, SUPER = 1, 2, 4, 8
"""Bits of GLFW's modifier mask."""

_FIRST_LETTER, _FIRST_DIGIT, _FIRST_FUNCTION, _FIRST_KEYPAD = ord("A"), ord("0"), 290, 320

# GLFW's numbers are part of its interface and do not change; printable keys are their US-layout characters.
# They stand here because ui must not import glfw.
_NAMED = {
    32: "space",
    39: "apostrophe",
    44: "comma",
    45: "minus",
    46: "period",
    47: "slash",
    59: "semicolon",
    61: "equal",
    91: "left_bracket",
    92: "backslash",
    93: "right_bracket",
    96: "grave_accent",
    256: "escape",
    257: "enter",
    258: "tab",
    259: "backspace",
    260: "insert",
    261: "delete",
    262: "right_arrow",
    263: "left_arrow",
    264: "down_arrow",
    265: "up_arrow",
    266: "page_up",
    267: "page_down",
    268: "home",
    269: "end",
    280: "caps_lock",
    281: "scroll_lock",
    282: "num_lock",
    283: "print_screen",
    284: "pause",
    330: "keypad_decimal",
    331: "keypad_divide",
    332: "keypad_multiply",
    333: "keypad_subtract",
    334: "keypad_add",
    335: "keypad_enter",
    336: "keypad_equal",
    340: "left_shift",
    341: "left_ctrl",
    342: "left_alt",
    343: "left_super",
    344: "right_shift",
    345: "right_ctrl",
    346: "right_alt",
    347: "right_super",
    348: "menu",
}


def _table() -> dict[int, imgui.Key]:
    table = {number: getattr(imgui.Key, name) for number, name in _NAMED.items()}
    for letter in range(26):
        table[_FIRST_LETTER + letter] = getattr(imgui.Key, chr(ord("a") + letter))
    for digit in range(10):
        table[_FIRST_DIGIT + digit] = getattr(imgui.Key, f"_{digit}")
        table[_FIRST_KEYPAD + digit] = getattr(imgui.Key, f"keypad{digit}")
    for number in range(24):  # F1 to F24
        table[_FIRST_FUNCTION + number] = getattr(imgui.Key, f"f{number + 1}")
    return table


BY_GLFW_NUMBER = _table()

MODIFIER_OF_KEY = {340: SHIFT, 344: SHIFT, 341: CONTROL, 345: CONTROL, 342: ALT, 346: ALT, 343: SUPER, 347: SUPER}

IMGUI_MODIFIERS = {
    SHIFT: imgui.Key.mod_shift,
    CONTROL: imgui.Key.mod_ctrl,
    ALT: imgui.Key.mod_alt,
    SUPER: imgui.Key.mod_super,
}


def is_redo(key: int, modifiers: int) -> bool:
    """Return whether the key of this GLFW number redoes, with these modifiers held, what a text field has undone."""
    shift, command = modifiers & SHIFT, modifiers & (CONTROL | SUPER)
    return bool(command) and (key == ord("Y") or (key == ord("Z") and bool(shift)))
