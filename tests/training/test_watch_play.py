"""Watching and playing games in the terminal: sessions, saved games, `watch` and `play`."""

import json

import pytest

from kitchentable import TableEnv, find_game
from kitchentable.core.saving import SavedGame
from kitchentable_training.cli.play import YOU, play, read_action
from kitchentable_training.cli.watch import watch
from kitchentable_training.players.by_name import make_players
from kitchentable_training.session import Session, played, read_saved, replayed

GAME = find_game("diddly")


def params(seats=2, **more):
    return GAME.make_params(**{"num_players": seats, "rounds": 1, **more})


def randoms(parameters, seed=0):
    return make_players(["random"] * parameters.num_players, GAME, parameters, seed)


def a_game(seed=1, **more):
    """Return a session finished by random players."""
    parameters = params(**more)
    session = Session(GAME, parameters, seed)
    for _ in played(session, randoms(parameters, seed)):
        pass
    return session


def written(path, session, **changes):
    """Save a session with parts of the file's content changed, as by hand: without a checksum."""
    session.save(path, ["a", "b"])
    path.write_text(json.dumps(json.loads(path.read_text()) | {"check": None} | changes))
    return path


# --- Sessions and saved games ---------------------------------------------------------------------


def test_a_deck_is_dealt_as_given_and_saved_with_the_game(tmp_path):
    session = Session(GAME, params(), 1, ["7", "D", "10"])
    session.play("slot:0")
    assert " 7 " in session.view(1).text()
    session.save(tmp_path / "g.json", ["a", "b"])
    saved = read_saved(tmp_path / "g.json")
    again = Session.of(saved)
    list(replayed(again, saved.actions))
    assert again.view(1).text() == session.view(1).text()
    with pytest.raises(ValueError, match="no card 'X'"):
        Session(GAME, params(), 1, ["X"])


def test_a_table_that_was_saved_is_shown_too_and_a_saved_session_is_played_on_at_a_table():
    session = a_game(seed=3, rounds=1)
    table = TableEnv("diddly", rounds=1)
    table.reset(seed=3)
    for _, action in session.transcript:
        table.step(table.action_names.index(action))
    table.step(None)
    saved = SavedGame.from_json(table.save())
    again = Session.of(saved)
    assert list(replayed(again, saved.actions)) == session.transcript
    other = TableEnv("diddly", rounds=1)
    other.load(session.saved(["a", "b"]).to_json().encode())
    assert other.transcript == session.transcript


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda moves: [*moves[:4], "recycle:7", *moves[5:]], "legal are"),
        (lambda moves: [*moves[:3], 7], "decision 4, 7 by player_"),
        (lambda moves: [*moves, moves[-1]], "the game is over"),
    ],
)
def test_a_transcript_that_does_not_fit_is_refused(tmp_path, change, message):
    session = a_game(seed=4)
    moves = [move.action for move in session.transcript]
    saved = read_saved(written(tmp_path / "g.json", session, actions=change(moves)))
    with pytest.raises(ValueError, match=message):
        list(replayed(Session.of(saved), saved.actions))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"params": {"cards": 7}}, "cards=7"),
        ({"params": [6]}, r"g.json .*params=\[6\] is not possible; give an object"),
        ({"actions": None}, "g.json .*actions=None is not possible; give a list"),
        ({"deck": ["X"]}, "no card 'X'"),
        ({"check": "0"}, "g.json .*its checksum does not match"),
    ],
)
def test_a_file_that_is_no_transcript_is_refused(tmp_path, changes, message):
    path = written(tmp_path / "g.json", a_game(), **changes)
    with pytest.raises(ValueError, match=message):
        Session.of(read_saved(path))


def test_what_cannot_be_played_leaves_no_trace():
    session = Session(GAME, params(), 1)
    with pytest.raises(ValueError, match="recycle:1"):
        session.play("recycle:1")
    assert session.transcript == []


# --- watch ----------------------------------------------------------------------------------------


def test_every_decision_is_shown_with_its_table_and_the_result_at_the_end():
    parameters, said, asked = params(), [], []
    session = Session(GAME, parameters, 2)
    names = ["one", "two"]
    moves = played(session, randoms(parameters))
    watch(session, moves, names, said.append, ask=lambda text: asked.append(text) or "")
    decisions = [text.strip() for text in said if text.startswith("\n=>")]
    seats = {"player_0": "one", "player_1": "two"}
    wanted = [f"=> {agent} ({seats[agent]}): {action}" for agent, action in session.transcript]
    assert decisions == wanted
    assert len(asked) == len(decisions)
    assert said[0].splitlines()[0].endswith("as player_0 sees it")
    assert "all cards shown" in said[-2]
    assert session.result(names) in said[-1]


@pytest.mark.parametrize(
    ("view", "words"), [("all", "all cards shown"), ("player_1", "as player_1 sees it")]
)
def test_the_view_is_as_chosen(view, words):
    parameters, said = params(), []
    session = Session(GAME, parameters, 2)
    watch(session, played(session, randoms(parameters)), ["a", "b"], said.append, view=view)
    tables = [text for text in said if text.startswith("Diddly")]
    assert len(tables) == len(session.transcript) + 1
    assert all(words in text for text in tables[:-1])


def test_a_game_that_was_left_keeps_its_secrets(tmp_path):
    session = Session(GAME, params(), 2)
    session.play("slot:0")
    session.save(tmp_path / "g.json", ["a", "b"])
    saved, said = read_saved(tmp_path / "g.json"), []
    again = Session.of(saved)
    watch(again, replayed(again, saved.actions), saved.players, said.append, view="player_1")
    assert "as player_1 sees it" in said[-2]
    assert "So far:" in said[-1]


# --- play -----------------------------------------------------------------------------------------


class Person:
    """Types prepared answers, then the same one forever."""

    def __init__(self, *answers, then=None):
        self.answers, self.then, self.said = list(answers), then, []

    def ask(self, _):
        if self.answers:
            return self.answers.pop(0)
        if self.then is None:
            raise EOFError
        return self.then

    @property
    def read(self):
        return "\n".join(self.said)

    def play(self, parameters, seat=0):
        players = randoms(parameters)
        players[seat] = None
        session = Session(GAME, parameters, 1)
        finished = play(session, players, self.ask, self.said.append, seat=seat)
        return finished, session


@pytest.mark.parametrize(("seats", "seat"), [(2, 0), (3, 1)])
def test_a_whole_game_is_played_by_typing_numbers(seats, seat):
    """The person sees what its seat sees and no more."""
    person = Person(then="1")
    finished, session = person.play(params(seats), seat)
    assert finished
    assert session.over
    assert person.said[-1].strip().startswith("The game is over.")
    tables = [text.strip() for text in person.said if text.strip().startswith("Diddly, ")]
    assert tables
    assert all(f"as player_{seat} sees it" in text for text in tables)


def test_what_the_others_did_is_told_once():
    person = Person(then="1")
    _, session = person.play(params(3), seat=1)
    told = [line for text in person.said for line in text.splitlines() if " (random): " in line]
    actions = [
        (line.partition(" ")[0], action)
        for line in told
        if not line.startswith(" ")  # a line of the result
        for action in line.partition("): ")[2].split(", ")
    ]
    assert actions == [tuple(move) for move in session.transcript if move.agent != "player_1"]


def test_the_boards_and_scores_are_shown_after_each_round():
    person = Person(then="1")
    _, session = person.play(params(rounds=3))
    hands = GAME.hand_scores(session.batch.states[0], 1)
    for number in (1, 2):
        text = next(text for text in person.said if f"Round {number} is over" in text)
        board = next(line for line in text.splitlines() if line.startswith("  player_1: "))
        assert board.endswith(f"= {hands[number - 1]}")
        assert person.read.count(f"Round {number} is over") == 1


def test_names_beginnings_and_wrong_answers():
    person = Person("help", "", "9", "slot", "slot:2", "slot:3", "quit")
    finished, session = person.play(params())
    assert not finished
    assert [move.action for move in session.transcript[:2]] == ["slot:2", "slot:3"]
    for told in ("save FILE", "'9' is not a legal action", "'slot' could be slot:0"):
        assert told in person.read


def test_a_game_is_saved_on_the_way_and_can_be_watched(tmp_path):
    file = tmp_path / "my game.json"
    person = Person("1", "save", f"save {tmp_path}", f"save {file}", "quit")
    person.play(params())
    assert "the name of the file is missing" in person.read
    assert f"cannot write {tmp_path}" in person.read
    saved = read_saved(file)
    assert saved.players == [YOU, "random"]
    assert len(list(replayed(Session.of(saved), saved.actions))) == 1


def test_an_answer_is_a_number_a_name_or_a_beginning():
    legal = ["draw", "take", "recycle:1", "recycle:10", "recycle:R"]
    assert read_action("2", legal) == "take"
    assert read_action("recycle:1", legal) == "recycle:1"
    assert read_action("d", legal) == "draw"
    for answer in ("0", "6", "-1", "recycle", "Draw"):
        with pytest.raises(ValueError, match=answer):
            read_action(answer, legal)
