"""Films: data, and for each of their frames a scene; see `film.py`. One file a kind of motion."""
