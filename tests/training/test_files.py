"""Damaged or wrong files: one line names the file and the problem."""

import os
from pathlib import Path

import pytest

from kitchentable_training import files
from kitchentable_training.files import read_json, read_yaml, said, write_json, written_aside
from kitchentable_training.runs import progress

DAMAGED_JSON = {
    "cut off": (b'{"a": [', "Expecting value"),
    "bytes": (b"\x89PNG\r\n\xff\xfe\x00", "can't decode"),
    "deep": (b'{"a": ' + b"[" * 100_000, "nested too deep"),
    "a list": (b"[]", "is not a mapping of names to values"),
    "infinite": (b'{"a": [1e999]}', "not JSON compliant"),
    "many digits": (b'{"a": ' + b"9" * 5000 + b"}", "4300 digits"),
    "half a letter": (rb'{"a": "\ud800"}', "surrogates not allowed"),
    "twice": (b'{"a": 1, "b": 2, "a": 3}', "'a' is in it twice"),
}
DAMAGED_YAML = {
    "empty": (b"", "is not a mapping of names to values"),
    "cut off": (b"a: [", "while parsing a flow node"),
    "bytes": (b"\x89PNG\r\n\xff\xfe\x00", "unacceptable character"),
    "deep": (b"a: " + b"[" * 1000, "nested too deep"),
    "a list": (b"- a", "is not a mapping of names to values"),
    "twice": (b"a: 1\nb: {c: 1, d: 2, c: 3}", r"b\.c is in it twice"),
    "octal": (b"a: {b: [1, 010]}", r"a\.b\.1: 010 has another meaning"),
    "padded": (b"a: 08", "a: 08 has another meaning"),
    "clock": (b"a: 1:30:00", "a: 1:30:00 has another meaning"),
    "clock with a fraction": (b"a: 1:30.5", r"a: 1:30\.5 has another meaning"),
    "no as a key": (b"no: 1", "no: no has another meaning"),
    "on in an alias": (b"a: &x [on]\nb: *x", r"a\.0: on has another meaning"),
    "date": (b"a: 2001-01-01", "a: 2001-01-01 has another meaning"),
    "object": (b"a: !!python/object/apply:os.getcwd []", "could not determine a constructor"),
}


@pytest.mark.parametrize(
    ("read", "data", "message"),
    [
        *(pytest.param(read_json, *one, id=f"json-{name}") for name, one in DAMAGED_JSON.items()),
        *(pytest.param(read_yaml, *one, id=f"yaml-{name}") for name, one in DAMAGED_YAML.items()),
    ],
)
def test_what_is_damaged_is_named(tmp_path, read, data, message):
    path = tmp_path / "found"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=rf"^.*found is damaged[^\n]*: [^\n]*{message}[^\n]*$"):
        read(path)


def test_yaml_that_all_readers_understand_is_read(tmp_path):
    path = tmp_path / "found.yaml"
    path.write_text(
        "a: [true, False, null, -1, 2_000_000, 1.0e-3, .inf, 'yes', \"010\", text]\n"
        "b: &x {c: 1}\nd: {<<: *x, c: 2}\ne: *x\n"
    )
    assert read_yaml(path) == {
        "a": [True, False, None, -1, 2_000_000, 0.001, float("inf"), "yes", "010", "text"],
        "b": {"c": 1}, "d": {"c": 2}, "e": {"c": 1},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("read", "most"), [(read_json, files.LARGEST_JSON), (read_yaml, files.LARGEST_YAML)]
)
def test_what_is_missing_too_large_or_a_folder_is_named(tmp_path, read, most):
    with pytest.raises(ValueError, match=r"cannot read .*: Is a directory"):
        read(tmp_path)
    with pytest.raises(ValueError, match=r"cannot read .*none: No such file"):
        read(tmp_path / "none")
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(most + 1)
    with pytest.raises(ValueError, match=f"large is too large: up to {most:,} bytes are read"):
        read(large)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"a": [float("inf")]}, "not JSON compliant"),
        ({"a": 1, 1: 2, "1": 3}, "'1' is in it twice"),
        ({"a": "x" * files.LARGEST_JSON}, "is too large"),
    ],
    ids=["infinite", "twice", "large"],
)
def test_what_could_not_be_read_again_is_not_written(tmp_path, content, message):
    path = tmp_path / "found.json"
    write_json(path, {"a": 1})
    with pytest.raises(ValueError, match=rf"^cannot write .*found\.json: .*{message}"):
        write_json(path, content)
    assert read_json(path) == {"a": 1}
    assert list(tmp_path.iterdir()) == [path]


def fill_the_disk():
    with Path("/dev/full").open("w") as device:
        device.write("the rest")


def press_ctrl_c():
    raise KeyboardInterrupt


def write_half(path, end):
    with written_aside(path) as aside:
        aside.write_text("half")
        end()


def write_folder(path, text):
    with written_aside(path) as aside:
        aside.mkdir()
        (aside / "file").write_text(text)
        if text == "half":
            fill_the_disk()


def test_what_cannot_be_written_is_named_and_nothing_stays_beside_it(tmp_path):
    path = tmp_path / "found.txt"
    path.write_text("before")
    with pytest.raises(KeyboardInterrupt):
        write_half(path, press_ctrl_c)
    with pytest.raises(OSError, match="No space left") as full:
        write_half(path, fill_the_disk)
    assert said(full.value) == f"{path}: No space left on device"
    with pytest.raises(IsADirectoryError) as folder:
        files.write_text(tmp_path, "text")
    assert said(folder.value) == f"{tmp_path}: Is a directory"
    with pytest.raises(OSError, match=f"Not a directory: '{path}"):
        files.write_text(path / "below" / "text", "text")
    assert [one.name for one in tmp_path.iterdir()] == ["found.txt"]
    assert path.read_text() == "before"
    assert not list(tmp_path.parent.glob(f".*.{os.getpid()}"))


def test_a_folder_is_written_whole_or_stays_as_it_was(tmp_path):
    path = tmp_path / "found"
    write_folder(path, "first")
    write_folder(path, "second")
    with pytest.raises(OSError, match="No space left") as full:
        write_folder(path, "half")
    assert said(full.value) == f"{path}: No space left on device"
    assert (path / "file").read_text() == "second"
    assert [one.name for one in tmp_path.iterdir()] == ["found"]


@pytest.mark.parametrize("then", [files.recover, lambda path: write_folder(path, "third")])
def test_a_folder_whose_writer_was_killed_between_two_moves_comes_back(tmp_path, then):
    path = tmp_path / "found"
    write_folder(path, "first")
    path.replace(tmp_path / ".found.old")
    then(path)
    assert (path / "file").read_text() == ("first" if then is files.recover else "third")
    assert [one.name for one in tmp_path.iterdir()] == ["found"]


@pytest.mark.parametrize(
    ("line", "why"),
    [('{"step": "x"}', "its 'step' is not a whole number"), ('"}', "Unterminated string")],
)
def test_a_line_of_a_log_that_is_damaged_is_named(tmp_path, line, why):
    log = tmp_path / "progress.jsonl"
    log.write_text('{"step": 1}\n' + line + "\n")
    for read in (progress.read_progress, lambda path: progress.cut_progress(path, 1)):
        with pytest.raises(ValueError, match=f"^line 2 of {log} is damaged: {why}"):
            read(log)


def test_very_many_evaluations_are_thinned_out_up_to_the_last():
    def line(step):
        return {"step": step, "evaluation/greedy": 0.5}

    most = progress.CURVE_EVALUATIONS
    few = [line(step) for step in range(most)]
    assert progress.learning_curve(few, 1) == few
    many = progress.learning_curve([line(step) for step in range(10 * most + 1)], 1)
    assert len(many) == pytest.approx(most, rel=0.1)
    assert many[-1] == line(10 * most)
