#!/usr/bin/env python3
"""Writes tests/ptx_cases/*.ptx from definitions/; `--check` writes nothing and fails when a file differs.

The expected values come from expected.py and integers.py, never from the CPU engine or a GPU.
"""
import importlib
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))
sys.dont_write_bytecode = True

from case_file import render  # noqa: E402


def files():
    """{file name: text}; each definition module has FILES = {stem: (title, cases())}."""
    texts = {}
    for path in sorted((FOLDER / "definitions").glob("*.py")):
        module = importlib.import_module("definitions." + path.stem)
        for stem, (title, cases) in getattr(module, "FILES", {}).items():
            assert stem + ".ptx" not in texts, stem
            texts[stem + ".ptx"] = render(title, cases(), stem.partition(".")[2])
    return texts


def main(arguments):
    check = arguments == ["--check"]
    if arguments and not check:
        print("usage: generate.py [--check]", file=sys.stderr)
        return 2
    texts = files()
    present = {path.name: path.read_text() for path in FOLDER.glob("*.ptx")}
    different = sorted(name for name in texts | present if texts.get(name) != present.get(name))
    if check:
        for name in different:
            print(f"{name} is not what generate.py writes; run it and look at the difference", file=sys.stderr)
        return 1 if different else 0
    for name in different:
        if name in texts:
            (FOLDER / name).write_text(texts[name])
        else:
            (FOLDER / name).unlink()
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
