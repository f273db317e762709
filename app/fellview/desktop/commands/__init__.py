"""What a person can have the viewer do: functions bound to the ids of the table of actions, checked when imported.

Each takes what it needs of the viewer, as `desk.py` names it. What one refuses (`FellviewError`) the viewer shows as a
notice.
"""

from fellview.desktop.commands import camera, export, files, film, scene, shelf, shots, slides, window
from fellview.desktop.commands.registry import check, release, run

__all__ = ["camera", "export", "files", "film", "release", "run", "scene", "shelf", "shots", "slides", "window"]

check()
