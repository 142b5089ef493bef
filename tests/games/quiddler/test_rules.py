"""Examples of Quiddler's rules: the deal, turns, what may be spelled and discarded."""

from __future__ import annotations

import copy
from itertools import product

import numpy as np
import pytest
from tests.games.quiddler.laying import KINDS
from tests.games.quiddler.play import Table, deck_of, few, names

from kitchentable import TableEnv
from kitchentable.games.quiddler import GAME, Lexicon

SOME = few("cat", "at", "act", "on", "one", "quiz", "to", "no")


def test_actions_have_the_names_of_the_rules_page_in_order():
    spell, discard = ([f"{verb}:{kind}" for kind in KINDS] for verb in ("spell", "discard"))
    names_of = lambda **params: list(Table(**params).batch.action_names)  # noqa: E731
    assert names_of() == ["draw", "take", *spell, "word", *discard]
    judge = [*(f"challenge:{i}" for i in range(5)), "pass"]
    assert names_of(challenges=True) == ["draw", "take", *spell, "word", *discard, *judge]
    lays = [f"{name}:{kind}" for name in ("longest", "most") for kind in KINDS]
    assert names_of(meld="auto") == ["draw", "take", *discard, *lays]
    assert [len(names_of(**p)) for p in ({}, {"challenges": True}, {"meld": "auto"})] == [
        65,
        71,
        95,
    ]


# --- The deal -------------------------------------------------------------------------------------


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left():
    table = Table(num_players=3, hand_sizes=(3, 4, 5))
    state = table.state
    deck = deck_of(state.seed, 0)
    dealt = [" ".join(sorted(deck[seat:9:3])) for seat in range(3)]
    assert [table.hand(seat) for seat in range(3)] == dealt
    assert table.pile == [deck[9]]
    assert names(state.deck[: state.deck_size][::-1]) == deck[10:]
    assert state.dealer == 2
    assert table.asks == "0 draw or take"


def test_a_hand_begins_with_nothing_of_the_last_one():
    """Words, challenges, turns and picked-up cards, for example, do not carry over."""
    table = Table(
        "c a t o n", "x x y y z", then="k s b f", hand_sizes=(5, 5), challenges=True, lexicon=SOME
    )
    table.put_deck_under_pile("s").play("take c-a-t. o-n. -k challenge:0 pass draw x-y. x-y. -s")
    table.play("challenge:0 pass")
    fresh = Table("c a t o n", "x x y y z", challenges=True, hand_sizes=(5, 5))
    old = fresh.state.copy()
    kept = {"seed", "rng", "deck", "pile", "pile_counts", "hands", "dealer", "current_player"}
    kept |= {"turns", "totals", "last_scores", "hand_points", "hands_done", "hand_over"}
    kept |= {name for name in old.dtype.names if name.startswith("last_") and name != "last_turns"}
    for name in set(old.dtype.names) - kept:
        assert np.array_equal(table.state[name], old[name]), name
    assert table.state.turns.tolist() == [0, 1] + [0] * 6
    assert table.state.hand_over
    assert not table.play("draw").state.hand_over


# --- A turn -------------------------------------------------------------------------------------


def test_a_turn_draws_the_top_card_and_discards_one():
    table = Table("c a t", "o n e", then="k s u")
    assert table.legal == ["draw", "take"]
    table.play("draw")
    assert table.hand(0) == "a c s t"
    assert table.asks == "0 meld and discard"
    assert table.options("discard") == "a c s t"
    table.play("-s")
    assert table.pile == ["k", "s"]
    assert table.hand(0) == "a c t"
    assert table.asks == "1 draw or take"
    table.play("take")
    assert table.pile == ["k"]
    assert table.hand(1) == "e n o s"
    assert "s" in table.options("discard")
    table.play("-s")
    assert table.pile == ["k", "s"]
    assert table.asks == "0 draw or take"


@pytest.mark.parametrize("meld", ["spell", "auto"])
def test_a_turn_leaves_no_trace_of_what_could_have_been_laid(meld):
    state = Table("c a t", "o n e", then="k s u", meld=meld, lexicon=SOME).play("draw -s").state
    assert (state.cards == -1).all()
    for name in ("ends", "worth", "next_kinds", "may_end", "left", "node"):
        assert not np.any(state[name]), name


def test_an_empty_draw_pile_is_made_anew_of_all_discards_but_the_top_one():
    table = Table("c a t", "o n e", then="k s u").put_deck_under_pile("u").play("draw -c")
    assert table.state.deck_size == 0
    assert not table.state.reshuffled
    before = table.pile
    assert table.legal == ["draw", "take"]
    table.play("draw")
    assert table.pile == ["c"]
    new = [*names(table.state.deck[: table.state.deck_size]), *table.hand(1).split()]
    for card in "one":
        new.remove(card)
    assert sorted(new) == sorted(before[:-1])
    deck = names(table.state.deck[: table.state.deck_size])
    assert deck not in (before[: len(deck)], before[-2 : -2 - len(deck) : -1])


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
    table = Table("c a t", "x y z", then="k s u", lexicon=SOME).play("draw")
    assert table.legal == [
        *(f"spell:{card}" for card in "ac"), *(f"discard:{card}" for card in "acst")
    ]  # fmt: skip
    table.play("+a")
    assert table.legal == ["spell:c"]  # `at` is a word, but would leave two cards
    table.play("+c +t")
    assert table.legal == ["word"]
    table.play("word")
    assert table.legal == ["discard:s"]
    table.play("-s")
    assert table.state.out == 0
    assert table.pile[-1] == "s"
    assert table.state.last_turns == 1
    assert table.asks == "1 draw or take"


def test_quiz_alone_cannot_go_out():
    """One card is always discarded, and `qu i z` is four letters on three cards."""
    table = Table("q u i", "x y z", then="k z u", lexicon=SOME).play("draw")
    assert table.options("spell") == ""
    table = Table("qu i a", "x y k", then="k z u", lexicon=SOME).play("draw")
    assert table.options("spell") == "qu"


def test_a_card_alone_is_no_word_and_a_pair_need_not_be_one():
    lexicon = few("in", "ina", "er")
    table = Table("in a t", "x y z", then="k er u", lexicon=lexicon).play("draw")
    assert table.options("spell") == ""  # `in a` leaves two cards
    table = Table("i n t", "x y z", then="k a u", lexicon=lexicon).play("draw")
    assert table.play("+i +n").legal == ["spell:a"]
    table = Table("in er t", "x y z", "k k j", then="w a u", lexicon=few("iner", "iner"))
    assert table.play("draw").options("spell") == ""


def test_no_seat_goes_out_before_it_has_begun_so_many_turns():
    for meld in ("spell", "auto"):
        table = Table(
            "c a t", "x y z", then="k s u b f", lexicon=SOME, min_turns_before_out=2, meld=meld
        ).play("draw")
        assert all(name.startswith("discard") for name in table.legal)
        table.play("-s draw -u draw")
        assert any(name in table.legal for name in ("spell:c", "longest:b"))


def test_a_hand_that_nobody_ends_is_called_and_everybody_has_one_last_turn():
    table = Table("c a t", "o n e", then="k s u b f d d", lexicon=SOME, max_turns=2)
    table.play("draw -s draw -u")
    assert not table.state.called
    table.play("draw -b draw -f")
    assert table.state.called
    assert table.state.last_turns == 2
    assert table.state.out == -1
    assert table.asks == "0 draw or take"
    table.play("draw")
    assert "spell:a" in table.legal
    table.play("a-t. -c")
    assert table.state.last_turns == 1
    table.play("draw o-n-e. -d")
    assert table.state.terminated
    assert table.scores == [0, 9 + 10]  # `a t` scores 5, the unused `d` costs 5


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
    table = Table("c a k", "o n e", then="k s u", forbid_returning_discard=True).play("take")
    assert table.options("discard") == "a c k"
    assert table.play("-k").hand(0) == "a c k"


def test_who_would_have_to_return_the_card_cannot_go_out():
    params = {"forbid_returning_discard": True, "lexicon": SOME}
    table = Table("c a t", "o n e", then="k s u", **params).play("take")
    assert table.options("spell") == ""
    auto = Table("c a t", "o n e", then="k s u", **params, meld="auto").play("take")
    assert auto.legal == ["discard:a", "discard:c", "discard:t"]
    # On a last turn it may be unused, but another card must be left to discard.
    table = Table("c a t", "x k k", then="n o s", **params).play("draw c-a-t. -o take")
    assert table.options("spell") == ""
    table = Table("c a t", "n x e", then="n o s", **params).play("draw c-a-t. -o take")
    assert table.options("spell") == "n o"
    assert table.play("+o +n").legal == ["spell:e", "word"]
    assert table.play("+e word").legal == ["discard:x"]
    table = Table("c a t", "n e e", then="n o s", **params).play("draw c-a-t. -o take")
    assert table.play("n-o.").legal == ["discard:e"]
    # The same with more than six cards, the most frequent one of which was taken.
    params["lexicon"] = few("at", "ata", "bc", "fh", "jkm")
    table = Table("a t a t a t a", "b c f h j k m", then="n e", **params)
    table.play("draw a-t. a-t. a-t-a. -e take b-c. f-h.")
    assert table.legal == ["discard:j", "discard:k", "discard:m"]


# --- A table from outside -------------------------------------------------------------------------


BAD = [
    ({"hand_sizes": ()}, r"hand_sizes=\(\) .* 1 to 40 whole numbers from 3 to 10"),
    ({"hand_sizes": [3] * 41}, "hand_sizes=.* 1 to 40"),
    ({"hand_sizes": 5}, "hand_sizes=5 .* list"),
    ({"hand_sizes": (2,)}, "hand_sizes=2 .* from 3 to 10"),
    ({"hand_sizes": (3, 11)}, "hand_sizes=11 .* from 3 to 10"),
    ({"hand_sizes": (3.5,)}, "hand_sizes=3.5 .* whole number from 3 to 10"),
    ({"meld": "hand"}, "meld='hand' .*'spell', 'auto'"),
    ({"two_player_bonus": "both"}, "two_player_bonus='both' .*'longest', 'most', 'none'"),
    ({"challenges": True, "meld": "auto"}, "challenges=True .*meld='spell'"),
    ({"max_turns": 1001}, "max_turns=1001 .* from 1 to 1000"),
    ({"min_turns_before_out": -1}, "min_turns_before_out=-1 .* from 0 to 50"),
    ({"min_turns_before_out": 5, "max_turns": 4}, "min_turns_before_out=5 .* from 0 to 4"),
    ({"copies": {"ch": 1}}, "copies: there is no card 'ch'; choose from a, b, .*cl"),
    ({"copies": {"q": 3}}, "copies of 'q'=3 .* from 0 to 2"),
    ({"copies": {"e": 12, "a": 9}}, "too few cards: .* hands, .* at least 22, .* has 21"),
    ({"copies": "eta"}, "copies='eta' is not possible"),
    ({"lexicon": "scowl99"}, "scowl99.*scowl60, scowl35"),
    ({"lexicon": []}, "no words"),
    ({"lexicon": ["at", 3]}, "must be strings, not 3"),
]


@pytest.mark.parametrize(("params", "message"), BAD)
def test_bad_parameters_are_refused_by_name(params, message):
    with pytest.raises(ValueError, match=message):
        GAME.make_params(**params)


def test_parameters_are_plain_in_files():
    own = GAME.make_params(lexicon=["Tea", "at"], hand_sizes=[3, 4])
    assert own.hand_sizes == (3, 4)
    assert own.plain()["hand_sizes"] == [3, 4]
    assert own.plain()["lexicon"] == ["at", "tea"]
    assert GAME.make_params(**own.plain()) == own
    assert own == GAME.make_params(lexicon=few("at", "tea"), hand_sizes=(3, 4))
    assert isinstance(hash(own), int)
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
    assert table.state.deck_size == 2
    table.play("draw -e draw")
    assert table.state.deck_size == 0
    assert table.play("-t").legal == ["draw", "take"]
    assert table.play("draw").state.reshuffled
