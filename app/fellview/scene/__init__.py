"""The whole recipe of a picture: terrain groups, look, camera; its text form, versions and migrations."""
