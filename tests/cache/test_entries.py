"""Entries of caches: found by words and files, removed when the cache is too large or an entry is damaged."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import enzyme_cc.cache.tools
from enzyme_cc.cache.entries import Cache, CacheEntry
from enzyme_cc.cache.tools import package_identity, stamp, tools_identity


def added(cache: Cache, word: str, *read: str) -> CacheEntry:
    folder = cache.new_folder()
    Path(folder, "data").write_text(word)
    return cache.add([word], read, folder)


def test_an_entry_is_found_while_its_files_are_the_same(tmp_path: Path) -> None:
    cache, source = Cache(str(tmp_path)), tmp_path / "source.c"
    source.write_text("int x;")
    entry = added(cache, "word", str(source))
    found = cache.find(["word"])
    assert found is not None
    assert found.folder == entry.folder
    source.write_text("int y;")
    assert cache.find(["word"]) is None


def test_a_cache_that_is_too_large_loses_what_no_process_uses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENZYME_CC_CACHE_SIZE", "0")
    cache = Cache(str(tmp_path))
    held = added(cache, "held")
    os.close(added(cache, "free").lock)
    monkeypatch.setattr("enzyme_cc.cache.entries._size", lambda folder: 1)
    cache.shrink()
    assert os.path.exists(held.folder)
    assert cache.find(["free"]) is None


def test_a_damaged_entry_is_discarded(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path))
    cache.discard(added(cache, "word"))
    assert cache.find(["word"]) is None


def test_identities_change_with_files(tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert stamp(str(file)) == str(file)
    file.write_text("x")
    assert stamp(str(file)) != str(file)
    assert package_identity() in tools_identity()
    assert ("natives.bc" in package_identity()) is is_source_tree()


def is_source_tree() -> bool:
    return (Path(enzyme_cc.cache.tools.__file__).parents[2] / "pyproject.toml").exists()
