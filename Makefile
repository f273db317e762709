.DEFAULT_GOAL := help
.PHONY: help setup run check test test-slow soak format bench gpu-check pictures textures landforms opening gallery gallery-wide clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22

setup: ## make .venv and install Fellview into it
	@sh scripts/setup.sh run

run: setup ## open the viewer; without a display render fellview.png. ARGS="..." goes to the fellview command
	@sh scripts/run.sh $(ARGS)

check: ## run style, types, imports and the quick tests, in under a minute: for while you work
	@sh scripts/setup.sh test
	@sh scripts/test.sh quick

test: ## run every check: style, types, direction of imports, tests
	@sh scripts/setup.sh test
	@sh scripts/test.sh

test-slow: ## run the tests that `make test` leaves out for their time; under half an hour on two cores
	@sh scripts/setup.sh slow
	@sh scripts/test.sh slow

soak: ## attack it for hours with damaged files, kills and random gestures, and print what was found: HOURS=8
	@sh scripts/setup.sh test
	@.venv/bin/python -m tests.fuzz.soak --hours $(or $(HOURS),1)

format: ## bring the sources into the house style
	@sh scripts/setup.sh test
	@.venv/bin/ruff check --fix .
	@.venv/bin/ruff format .

bench: setup ## measure this machine
	@.venv/bin/fellview bench $(ARGS)

gpu-check: setup ## check and measure this machine's OpenGL in under eight minutes; on software OpenGL ARGS=--small
	@.venv/bin/python -m fellview.bench.gpu_check $(ARGS)

pictures: setup ## draw the user guide's pictures of the demo and of noise kinds anew
	@mkdir -p docs
	@.venv/bin/fellview sheet assets/noise-kinds.toml --vary noise.kind=value,perlin-1985,classic,improved,axis,simplex,opensimplex,worley,white -o docs/noise-kinds.png --size 400x240
	@.venv/bin/fellview render directx-demo -o docs/directx-demo.png --size 1280x720

textures: setup ## make the ground's textures anew
	@.venv/bin/python scripts/make_textures.py

landforms: setup ## draw all scenes as plain hillshades, on one sheet
	@.venv/bin/python scripts/scene_sheets.py landforms -o docs/landforms.jpg

opening: setup ## compute the land that the first window opens with anew
	@.venv/bin/python scripts/make_opening_land.py

gallery: setup ## draw every scene, and one under every view mode, for README and user guide
	@.venv/bin/python scripts/scene_sheets.py gallery -o docs/gallery
	@.venv/bin/python scripts/view_modes.py alpine-range docs/view-modes.png 400x225

gallery-wide: setup ## draw each scene from all sides, for looking. ARGS="-o FOLDER [SCENE ...]"
	@.venv/bin/python scripts/scene_sheets.py wide $(or $(ARGS),-o build/gallery-wide)

clean: ## remove .venv and everything else that was made
	@rm -rf .venv build dist tests/failures fellview.png .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
