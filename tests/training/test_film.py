"""Games as moving pictures: GIF, MP4 and SVG are decoded and compared with the drawings."""

import sys
from fractions import Fraction
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from kitchentable import find_game
from kitchentable.core.state import ALL_SEEING
from kitchentable.render.picture import Picture
from kitchentable.render.view import View
from kitchentable_training.cli.main import main
from kitchentable_training.film.films import FORMATS, LAST_FRAME, write_films
from kitchentable_training.film.frame import Frame
from kitchentable_training.film.gif import WIDTH, GifWriter
from kitchentable_training.players.by_name import make_players
from kitchentable_training.session import Session, played

av = pytest.importorskip("av", reason="wants the extra `video`")

GAME = find_game("diddly")
SVG = "{http://www.w3.org/2000/svg}"
MOVES, MILLISECONDS = 6, 370
NEAR = 6
"""Largest mean difference between a video's and the drawing's colors, of 255."""


def begun():
    """Return a session and its first random decisions."""
    parameters = GAME.make_params(rounds=1)
    session = Session(GAME, parameters, 2)
    decisions = played(session, make_players(["random"] * 2, GAME, parameters, 0))
    return session, (move for move, _ in zip(decisions, range(MOVES), strict=False))


def drawn():
    """Return the pictures that the films of `begun` consist of."""
    session, moves = begun()
    pictures = [session.view(session.mover).draw() for _ in moves]
    return [*pictures, session.view(session.mover).draw()]


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    """One file of each format, of the same game."""
    folder = tmp_path_factory.mktemp("films")
    files = {form: folder / f"g.{form}" for form in FORMATS}
    session, moves = begun()
    assert write_films(session, moves, files, seconds=MILLISECONDS / 1000) == MOVES + 1
    assert sorted(path.name for path in folder.iterdir()) == ["g.gif", "g.mp4", "g.svg"]
    return files


def test_a_gif_shows_each_picture_for_its_time(films):
    pictures = drawn()
    with Image.open(films["gif"]) as gif:
        assert gif.n_frames == MOVES + 1
        assert gif.info["loop"] == 0
        assert gif.size == (WIDTH, round(pictures[0].height * WIDTH / pictures[0].width))
        for i, picture in enumerate(pictures):
            gif.seek(i)
            assert gif.info["duration"] == MILLISECONDS * (LAST_FRAME if i == MOVES else 1)
            wanted = Image.fromarray(picture.to_rgb()).resize(gif.size, Image.Resampling.LANCZOS)
            apart = np.abs(np.array(gif.convert("RGB"), int) - np.array(wanted))
            assert apart.mean() < NEAR
            assert (apart > 64).mean() < 0.001


def test_a_gif_has_a_frame_even_where_nothing_changes(tmp_path):
    picture = Picture(30, 20, "#204060")
    writer = GifWriter(tmp_path / "g.gif", "title")
    for milliseconds in (100, 200, 300):
        writer.add(Frame(picture, milliseconds))
    writer.close()
    with Image.open(tmp_path / "g.gif") as gif:
        assert (gif.n_frames, gif.size) == (3, (30, 20))


def decoded(path):
    with av.open(str(path)) as container:
        return [(frame, frame.to_ndarray(format="rgb24")) for frame in container.decode(video=0)]


def test_a_video_shows_each_picture_for_its_time(films):
    pictures, frames = drawn(), decoded(films["mp4"])
    assert len(frames) == len(pictures)
    for i, (picture, (frame, pixels)) in enumerate(zip(pictures, frames, strict=True)):
        assert frame.pts * frame.time_base == Fraction(MILLISECONDS * i, 1000)
        longer = LAST_FRAME if i == MOVES else 1
        assert frame.duration * frame.time_base == Fraction(MILLISECONDS * longer, 1000)
        assert np.abs(pixels.astype(int) - picture.to_rgb()).mean() < NEAR
    assert np.abs(frames[0][1].astype(int) - frames[-1][1]).mean() > 0.1


def test_a_video_is_one_that_browsers_play(films):
    content = films["mp4"].read_bytes()
    assert content.find(b"moov") < content.find(b"mdat"), "the index comes first"
    with av.open(str(films["mp4"])) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        level = stream.codec_context.extradata[3]
        assert level <= 41, "decoders of phones know it"


def test_a_video_of_an_odd_size_is_made_even(tmp_path):
    picture = Picture(61, 45, "#a03020")
    picture.rectangle(0, 0, 30, 45, fill="#2040ff")
    from kitchentable_training.film.mp4 import Mp4Writer

    writer = Mp4Writer(tmp_path / "g.mp4", "title")
    for _ in range(2):
        writer.add(Frame(picture, 1000))
    writer.close()
    (_, pixels), _ = decoded(tmp_path / "g.mp4")
    assert pixels.shape == (46, 62, 3)
    assert np.abs(pixels[:45, :61].astype(int) - picture.to_rgb()).mean() < NEAR
    assert np.abs(pixels[45, 61].astype(int) - (0xA0, 0x30, 0x20)).max() < 2 * NEAR


class Film:
    """A written SVG with its references resolved and its animations computed."""

    def __init__(self, path):
        self.root = ET.parse(path).getroot()
        self.shared = {group.get("id"): list(group) for group in self.root.find(f"{SVG}defs")}
        self.groups = [g for g in self.root.findall(f"{SVG}g") if "frame" in g.get("class")]
        self.total = int(self.groups[0][0].get("dur").removesuffix("ms"))

    def shapes(self, group):
        """Return the shapes of a frame as text."""
        found = []
        for child in group[1:]:
            is_use = child.tag == f"{SVG}use"
            found += self.shared[child.get("href").removeprefix("#")] if is_use else [child]
        return [ET.tostring(shape).strip() for shape in found]

    def visible(self, milliseconds):
        """Return the frames that are visible at a time."""
        return [i for i, group in enumerate(self.groups) if self._is_visible(group, milliseconds)]

    def _is_visible(self, group, milliseconds):
        animation, *_ = group
        assert animation.tag == f"{SVG}animate"
        wanted = ("display", "discrete", "indefinite", f"{self.total}ms")
        named = ("attributeName", "calcMode", "repeatCount", "dur")
        assert tuple(map(animation.get, named)) == wanted
        times = [float(time) for time in animation.get("keyTimes").split(";")]
        values = animation.get("values").split(";")
        assert (len(times), times) == (len(values), sorted({0.0, *times}))
        now = milliseconds % self.total / self.total + 1e-7
        return values[sum(time <= now for time in times) - 1] == "inline"


def test_an_svg_has_the_shapes_of_each_picture(films):
    film, pictures = Film(films["svg"]), drawn()
    assert film.root.get("viewBox") == f"0 0 {pictures[0].width} {pictures[0].height}"
    assert len(film.groups) == len(pictures)
    for group, picture in zip(film.groups, pictures, strict=True):
        background, *shapes = film.shapes(group)
        assert f'fill="{picture.background}"'.encode() in background
        _, *wanted = ET.fromstring(picture.to_svg())
        assert shapes == [ET.tostring(shape).strip() for shape in wanted]


def test_an_svg_shows_one_frame_after_the_other_for_ever(films):
    film = Film(films["svg"])
    assert film.total == MILLISECONDS * (MOVES + LAST_FRAME)
    for time in range(0, 3 * film.total, 5):
        assert film.visible(time) == [min(time % film.total // MILLISECONDS, MOVES)]


def test_an_svg_shows_its_last_frame_where_reduced_motion_is_preferred(films):
    film = Film(films["svg"])
    assert [group.get("display") for group in film.groups] == ["none"] * MOVES + ["inline"]
    *_, last = film.root
    assert last is film.groups[-1]
    style = film.root.find(f"{SVG}style").text
    assert "(prefers-reduced-motion: reduce)" in style
    assert ".frame:last-of-type { display: inline !important }" in style


def test_a_film_of_one_picture_stands_still(tmp_path):
    session, _ = begun()
    files = {form: tmp_path / f"g.{form}" for form in FORMATS}
    assert write_films(session, [], files) == 1
    film = Film(files["svg"])
    assert [film.visible(time) for time in (0, 3999, 4000)] == [[0]] * 3
    assert len(decoded(files["mp4"])) == 1
    with Image.open(files["gif"]) as gif:
        assert gif.n_frames == 1


def test_the_view_and_the_layout_are_as_chosen(tmp_path, monkeypatch):
    asked = set()
    draw = View.draw

    def noted(view, *, tall=False):
        asked.add((view.viewer, tall))
        return draw(view, tall=tall)

    monkeypatch.setattr(View, "draw", noted)
    for view, viewer in (("all", ALL_SEEING), ("player_1", 1)):
        session, moves = begun()
        write_films(session, moves, {"svg": tmp_path / "g.svg"}, view=view, tall=True)
        assert asked == {(viewer, True)}, "a game that was left keeps its secrets"
        asked.clear()


def test_the_command_writes_several_files_at_once(tmp_path, capsys):
    session, moves = begun()
    list(moves)
    session.save(tmp_path / "g.json", ["a", "b"])
    files = [tmp_path / f"game.{form}" for form in FORMATS]
    options = [word for file in files for word in (f"-{file.suffix.replace('.', '-')}", str(file))]
    assert main(["watch", "--replay", str(tmp_path / "g.json"), "--tall", *options]) == 0
    told = capsys.readouterr().out.splitlines()
    count = len(session.transcript) + 1
    assert told == [f"{file}: {count} pictures" for file in files]
    assert len(Film(files[-1]).groups) == len(decoded(files[1])) == count


@pytest.mark.parametrize(
    ("form", "library", "extra"),
    [("mp4", "av", "video"), ("mp4", "PIL", "render"), ("gif", "PIL", "render")],
)
def test_a_missing_library_is_named_before_anything_is_written(
    tmp_path, monkeypatch, form, library, extra
):
    for name in ("gif", "mp4"):
        monkeypatch.delitem(sys.modules, f"kitchentable_training.film.{name}", raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    session, moves = begun()
    files = {"svg": tmp_path / "new" / "g.svg", form: tmp_path / "new" / f"g.{form}"}
    with pytest.raises(ImportError, match=rf"kitchentable\[{extra}\]"):
        write_films(session, moves, files)
    assert list(tmp_path.iterdir()) == []
    assert session.transcript == []


def test_older_files_stay_when_a_game_does_not_fit(tmp_path):
    session, moves = begun()
    files = {form: tmp_path / f"g.{form}" for form in FORMATS}
    for path in files.values():
        path.write_text("older")

    def failing():
        yield next(moves)
        raise ValueError("decision 2 does not fit")

    with pytest.raises(ValueError, match="decision 2"):
        write_films(session, failing(), files)
    assert {path.read_text() for path in tmp_path.iterdir()} == {"older"}
    assert len(list(tmp_path.iterdir())) == len(FORMATS)
