"""Keep the shipped scenes as new revisions, where they have changed: short texts of older ones go on as they are.

.venv/bin/python scripts/keep_scenes.py
"""

from __future__ import annotations

from fellview.io import scenes, short_texts
from fellview.scene import recipe


def main() -> None:
    """Write the newest revision of every preset that differs from the one that is kept."""
    short_texts.folder().mkdir(exist_ok=True)
    for name in scenes.presets():
        scene, newest = scenes.load(name), short_texts.revisions().get(name, 0)
        if newest == 0 or short_texts.kept(name, newest) != scene:
            path = short_texts.folder() / f"{name}@{newest + 1}.toml"
            path.write_text(recipe.to_text(scene), encoding="utf-8")
            print(path)


if __name__ == "__main__":
    main()
