"""Examples of Quiddler's rules: the deal, turns, what may be spelled and discarded."""

import copy
from itertools import product

import numpy as np
import pytest
from tests.games.quiddler.laying import KINDS
from tests.games.quiddler.play import Table, few

from kitchentable import TableEnv
from kitchentable.games.quiddler import GAME, Lexicon

SOME = few("cat", "at", "act", "on", "one", "quiz", "to", "no")


@pytest.mark.parametrize(
    ("params", "order"),
    [
        ({}, "draw take spell word discard"),
        ({"challenges": True}, "draw take spell word discard challenge pass"),
        ({"meld": "auto"}, "draw take discard longest most"),
    ],
)
def test_actions_have_the_names_of_the_rules_page_in_order(params, order):
    kinds = dict.fromkeys(("spell", "discard", "longest", "most"), KINDS) | {"challenge": range(5)}
    named = [
        f"{verb}:{what}" if verb in kinds else verb
        for verb in order.split()
        for what in kinds.get(verb, [""])
    ]
    assert list(Table(**params).batch.action_names) == named


# --- A turn -------------------------------------------------------------------------------------


def test_a_turn_draws_the_top_card_and_discards_one():
    Table("c a t", "o n e", then="k s u").follow(
        "-> legal = draw take",
        "draw -> hand 0 = a c s t; asks = 0 meld and discard; options discard = a c s t",
        "-s -> pile = k s; hand 0 = a c t; asks = 1 draw or take",
        "take -> pile = k; hand 1 = e n o s; options discard = e n o s",
        "-s -> pile = k s; asks = 0 draw or take",
    )


def test_where_one_discard_is_all_there_is_nobody_can_draw():
    table = Table("c a t", "o n e", then="k s u")
    state = table.state
    state.hands[1] += np.bincount(state.deck[: state.deck_size], minlength=31).astype(np.int8)
    state.deck[:] = -1
    state.deck_size = 0
    table.batch.look()
    assert table.legal == ["take"]


# --- Going out ----------------------------------------------------------------------------------


def test_going_out_lays_all_cards_but_one():
    Table("c a t", "x y z", then="k s u", lexicon=SOME).follow(
        "draw -> options spell = a c; options discard = a c s t",
        "+a -> legal = spell:c",  # `at` is a word, but would leave two cards
        "+c +t -> legal = word",
        "word -> legal = discard:s",
        "-s -> out = 0; pile = k s; last_turns = 1; asks = 1 draw or take",
    )


GOING_OUT = {
    # One card is always discarded, and `qu i z` is four letters on three cards.
    "q u i with z": (["quiz"], "q u i", "z", ""),
    "qu i a with z": (["quiz"], "qu i a", "z", "qu"),
    "a card alone is no word": (["in", "ina", "er"], "in a t", "er", ""),  # `in a` leaves two cards
    "a pair need not be one": (["in", "ina", "er"], "i n t", "a", "i"),
    "nor are two pairs": (["iner"], "in er t", "a", ""),
}


@pytest.mark.parametrize("rule", GOING_OUT)
def test_what_may_be_spelled_to_go_out(rule):
    words, hand, drawn, first = GOING_OUT[rule]
    Table(hand, "x y z", then=f"k {drawn}", lexicon=few(*words)).follow(
        f"draw -> options spell = {first}"
    )


def test_no_seat_goes_out_before_it_has_begun_so_many_turns():
    for meld in ("spell", "auto"):
        table = Table(
            "c a t", "x y z", then="k s u b f", lexicon=SOME, min_turns_before_out=2, meld=meld
        ).play("draw")
        assert all(name.startswith("discard") for name in table.legal)
        table.play("-s draw -u draw")
        assert any(name in table.legal for name in ("spell:c", "longest:b"))


def test_a_hand_that_nobody_ends_is_called_and_everybody_has_one_last_turn():
    Table("c a t", "o n e", then="k s u b f d d", lexicon=SOME, max_turns=2).follow(
        "draw -s draw -u -> called = False",
        "draw -b draw -f -> called = True; last_turns = 2; out = -1; asks = 0 draw or take",
        "draw -> legal has spell:a",
        "a-t. -c -> last_turns = 1",
        # `a t` scores 5, the unused `d` costs 5.
        f"draw o-n-e. -d -> terminated = True; scores = 0 {9 + 10}",
    )


# --- The card taken from the pile -----------------------------------------------------------------


@pytest.mark.parametrize("meld", ["spell", "auto"])
def test_the_card_taken_may_not_be_returned_by_the_house_rule(meld):
    for forbid in (False, True):
        params = {"forbid_returning_discard": forbid, "meld": meld, "lexicon": SOME}
        table = Table("c a t", "o n e", then="k s u", **params).play("take")
        assert table.options("discard") == ("a c t" if forbid else "a c k t")
        assert table.play("-c draw").options("discard") == "e n o s"
        assert table.play("-s draw").options("discard") == "a k t u"


def test_another_copy_of_the_card_taken_may_be_discarded():
    Table("c a k", "o n e", then="k s u", forbid_returning_discard=True).follow(
        "take -> options discard = a c k", "-k -> hand 0 = a c k"
    )


def test_who_would_have_to_return_the_card_cannot_go_out():
    params = {"forbid_returning_discard": True, "lexicon": SOME}
    Table("c a t", "o n e", then="k s u", **params).follow("take -> options spell =")
    Table("c a t", "o n e", then="k s u", **params, meld="auto").follow(
        "take -> legal = discard:a discard:c discard:t"
    )
    # On a last turn it may be unused, but another card must be left to discard.
    last = "draw c-a-t. -o take"
    Table("c a t", "x k k", then="n o s", **params).follow(f"{last} -> options spell =")
    Table("c a t", "n x e", then="n o s", **params).follow(
        f"{last} -> options spell = n o",
        "+o +n -> legal = spell:e word",
        "+e word -> legal = discard:x",
    )
    Table("c a t", "n e e", then="n o s", **params).follow(f"{last} n-o. -> legal = discard:e")
    # The same with more than six cards, the most frequent one of which was taken.
    params["lexicon"] = few("at", "ata", "bc", "fh", "jkm")
    Table("a t a t a t a", "b c f h j k m", then="n e", **params).follow(
        "draw a-t. a-t. a-t-a. -e take b-c. f-h. -> legal = discard:j discard:k discard:m"
    )


# --- A table from outside -------------------------------------------------------------------------


BAD = [
    ({"hand_sizes": ()}, r"hand_sizes=\(\) .* 1 to 40 whole numbers from 3 to 10"),
    ({"hand_sizes": (3, 11)}, "hand_sizes=11 .* from 3 to 10"),
    ({"hand_sizes": (3.5,)}, "hand_sizes=3.5 .* whole number from 3 to 10"),
    ({"meld": "hand"}, "meld='hand' .*'spell' or 'auto'"),
    ({"two_player_bonus": "both"}, "two_player_bonus='both' .*'longest', 'most' or 'none'"),
    ({"challenges": True, "meld": "auto"}, "challenges=True .*meld='spell'"),
    ({"min_turns_before_out": 5, "max_turns": 4}, "min_turns_before_out=5 .* from 0 to 4"),
    ({"copies": {"ch": 1}}, "copies: there is no card 'ch'; choose from a, b, .*cl"),
    ({"copies": {"q": 3}}, "copies of 'q'=3 .* from 0 to 2"),
    ({"copies": {"e": 12, "a": 9}}, "too few cards: .* hands, .* at least 22, .* has 21"),
    ({"copies": "eta"}, "copies='eta' is not possible"),
    ({"lexicon": "scowl99"}, "scowl99.*scowl60, scowl35"),
]


@pytest.mark.parametrize(("params", "message"), BAD)
def test_bad_parameters_are_refused_by_name(params, message):
    with pytest.raises(ValueError, match=message):
        GAME.make_params(**params)


def test_parameters_are_plain_in_files():
    own = GAME.make_params(lexicon=["Tea", "at"], hand_sizes=[3, 4])
    assert own.plain()["hand_sizes"] == [3, 4]
    assert own.plain()["lexicon"] == ["at", "tea"]
    assert GAME.make_params(**own.plain()) == own
    assert own == GAME.make_params(lexicon=few("at", "tea"), hand_sizes=(3, 4))
    assert GAME.make_params(lexicon=Lexicon.shipped("scowl35")).plain()["lexicon"] == "scowl35"
    alike = Lexicon.from_words(["at"], name="scowl35")
    assert GAME.make_params(lexicon=alike).plain()["lexicon"] == ["at"]


def test_a_long_word_list_is_plain_as_its_fingerprint():
    many = Lexicon.from_words(a + b + c for a, b, c in product("abcdefghijk", repeat=3))
    params = GAME.make_params(lexicon=many)
    assert params.plain()["lexicon"] == f"sha256:{many.fingerprint}"
    with pytest.raises(ValueError, match=f"{many.fingerprint}.* pass the word list itself"):
        GAME.make_params(**params.plain())


@pytest.mark.parametrize("game", ["quiddler", "quiddler_solitaire"])
def test_a_table_keeps_the_words_of_a_file_that_changes(game, tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("at\ntea\neat\n")
    table = TableEnv(game, lexicon=words)
    table.reset(seed=1)
    fingerprint, saved = table.infos["player_0"]["lexicon"], table.save()
    words.write_text("zoo\n")
    assert copy.deepcopy(table).infos["player_0"]["lexicon"] == fingerprint
    table.load(saved)
    assert table.infos["player_0"]["lexicon"] == fingerprint
    other = TableEnv(game, lexicon=str(words))
    with pytest.raises(ValueError, match="the saved game's params"):
        other.load(saved)


def test_a_shortened_deck_is_dealt_out_and_drawn_to_its_end():
    copies = {"th": 1, "e": 3, "a": 2, "t": 3}
    table = Table("e a t", "e a t", then="th e t", lexicon=["tea", "the", "at"], copies=copies)
    assert table.batch.params.copies == (("a", 2), ("e", 3), ("t", 3), ("th", 1))
    assert "copies" not in GAME.make_params().plain()
    table.follow(
        "-> deck_size = 2",
        "draw -e draw -> deck_size = 0",
        "-t -> legal = draw take",
        "draw -> reshuffled = True",
    )
