"""Writes the text of each PDF of a directory beside it."""
import pathlib
import sys

from pdfminer.high_level import extract_text

for path in pathlib.Path(sys.argv[1]).glob("*.pdf"):
    path.with_name(path.name + ".pdfminer").write_text(extract_text(path), encoding="utf-8")
