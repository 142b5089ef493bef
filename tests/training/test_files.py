"""Files that are damaged or are something else: one line says which one, and what is wrong."""

import json

import pytest

from kitchentable_training.files import LARGEST_JSON, LARGEST_YAML, parse_json, read_json, read_yaml

DAMAGED_JSON = {
    "empty": (b"", "Expecting value"),
    "cut off": (b'{"a": [', "Expecting value"),
    "bytes": (b"\x89PNG\r\n\xff\xfe\x00", "can't decode"),
    "deep": (b'{"a": ' + b"[" * 100_000, "nested too deep"),
    "a list": (b"[]", "holds no names and values"),
    "no number": (b'{"a": NaN}', "not JSON compliant"),
    "infinite": (b'{"a": [1e999]}', "not JSON compliant"),
    "many digits": (b'{"a": ' + b"9" * 5000 + b"}", "4300 digits"),
    "half a letter": (rb'{"a": "\ud800"}', "surrogates not allowed"),
    "twice": (b'{"a": 1, "b": 2, "a": 3}', "'a' is in it twice"),
}
DAMAGED_YAML = {
    "empty": (b"", "holds no names and values"),
    "cut off": (b"a: [", "while parsing a flow node"),
    "bytes": (b"\x89PNG\r\n\xff\xfe\x00", "unacceptable character"),
    "deep": (b"a: " + b"[" * 3000, "nested too deep"),
    "a list": (b"- a", "holds no names and values"),
    "object": (b"a: !!python/object/apply:os.getcwd []", "could not determine a constructor"),
}


@pytest.mark.parametrize("what", DAMAGED_JSON)
def test_json_that_is_damaged_is_named(tmp_path, what):
    data, message = DAMAGED_JSON[what]
    path = tmp_path / "found.json"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=rf"^.*found\.json is damaged: [^\n]*{message}"):
        read_json(path)


@pytest.mark.parametrize("what", DAMAGED_YAML)
def test_yaml_that_is_damaged_is_named(tmp_path, what):
    data, message = DAMAGED_YAML[what]
    path = tmp_path / "found.yaml"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=rf"^.*found\.yaml is damaged: [^\n]*{message}[^\n]*$"):
        read_yaml(path)


@pytest.mark.parametrize(("read", "most"), [(read_json, LARGEST_JSON), (read_yaml, LARGEST_YAML)])
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


def test_numbers_of_a_log_may_be_infinite_or_none():
    found = parse_json('{"a": NaN, "b": -Infinity, "c": 1e999}', finite=False)
    assert json.dumps(found) == '{"a": NaN, "b": -Infinity, "c": Infinity}'
