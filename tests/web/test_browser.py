"""The page in a real browser: whole games by mouse and keyboard, on a screen and on a phone."""

from __future__ import annotations

import json
import os
import shutil
from functools import partial
from pathlib import Path
from urllib.parse import urljoin

import numpy as np
import pytest
from tests.conftest import short
from tests.web.web_people import seats_of

from kitchentable import all_games, find_game
from kitchentable_training.session import Session, read_saved
from kitchentable_training.web.serve import in_background

pytestmark = pytest.mark.browser

CHROMIUM = os.environ.get("KITCHENTABLE_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
NEEDED = "KITCHENTABLE_CHROMIUM" in os.environ
"""Whether a missing browser is an error instead of a reason to skip these tests."""
SHIPPED = Path(__file__).parents[2] / "checkpoints"
SCREEN, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}
SOON = 20_000
"""Timeout in milliseconds for anything on a slow machine."""
QUICK = {"diddly", "fiddlefoo", "quiddler"}
"""Games with a menu at a place, letters to take back, and many buttons; the page knows no game."""
every_game = pytest.mark.parametrize(
    "name",
    [
        pytest.param(one, marks=() if one in QUICK else pytest.mark.slow)
        for one in sorted(all_games())
    ],
)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    with in_background(folder, folder / "runs") as (link, server):
        yield link, server


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        if NEEDED:
            raise RuntimeError("no browser was found; KITCHENTABLE_CHROMIUM names one")
        pytest.skip("no browser: install chromium, or name one in KITCHENTABLE_CHROMIUM")
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def visit(served, browser):
    """Open browsers of their own, and check at the end that nothing went wrong in them."""
    link, _ = served
    contexts, wrong, inside = [], [], ["data:", "blob:"]

    def open_page(viewport=SCREEN, link=link, **options):
        inside.append(link.partition("?")[0])
        context = browser.new_context(viewport=viewport, **options)
        context.set_default_timeout(SOON)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda told: told.type == "error" and wrong.append(told.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: outside(request.url) and wrong.append(request.url))
        page.wrong = wrong
        page.goto(link)
        return page

    def outside(url):
        return not url.startswith(tuple(inside))

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture
def page(visit):
    return visit()


def ask(page, method, address, content=None):
    """Send the server a request that the page's scripts could send."""
    return page.evaluate(
        """async ([method, address, content]) => {
          const headers = content ? { "Content-Type": "application/json" } : {};
          const body = content ? JSON.stringify(content) : undefined;
          const answer = await fetch(address, { method, headers, body });
          return answer.status === 204 ? null : await answer.json();
        }""",
        [method, address, content],
    )


def new_table(page, name, seats, **params):
    seed = None if "open" in seats else 5
    wanted = {"game": name, "params": short(find_game(name)) | params, "seats": seats, "seed": seed}
    table = ask(page, "POST", "/api/tables", wanted)["id"]
    open_address(page, f"/table/{table}")
    at_once(page)
    return table


def open_address(page, address):
    page.goto(urljoin(page.url, address))


def at_once(page):
    page.wait_for_selector("#picture svg")
    page.select_option("#speed", "0")


def my_move(page):
    """Wait for a decision of mine or the end; return whether there is a decision."""
    ending = page.locator("#ending:not([hidden])")
    ending.or_(page.locator("#actions:not([hidden], [aria-busy])")).first.wait_for(state="attached")
    return ending.count() == 0


def act(page, how):
    """Do something that shows another picture, and wait for it."""
    page.evaluate("document.querySelector('#picture svg').dataset.old = 'yes'")
    how()
    page.locator("#picture svg:not([data-old])").wait_for()


def decide(page, how):
    """Make a decision, and wait until its result is shown."""
    before = page.locator("#table").get_attribute("data-k")
    how()
    page.locator(f"#table:not([data-k='{before}'])").wait_for(state="attached")


def click_somewhere(page, rng):
    """Click a place in the drawing, or a button where the drawing has none."""
    spots = page.locator("#picture .spot[role=button]")
    count = spots.count()

    def click():
        if not count:
            buttons = page.locator("#actions button[data-action]")
            buttons.nth(rng.integers(buttons.count())).click()
            return
        spots.nth(rng.integers(count)).click()
        menu = page.locator("#menu button")
        if page.locator("#menu").is_visible():
            menu.nth(rng.integers(menu.count())).click()

    decide(page, click)
    return bool(count)


def fits(page):
    """Return whether nothing has to be scrolled sideways."""
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


# --- Whole games ----------------------------------------------------------------------------------


@every_game
def test_a_whole_game_by_clicks_with_a_reload_in_the_middle(page, name, served):
    table = new_table(page, name, seats_of(name))
    rng, clicks, decisions = np.random.default_rng(0), 0, 0
    while my_move(page):
        clicks += click_somewhere(page, rng)
        decisions += 1
        if decisions == 3:
            before = ask(page, "GET", f"/api/tables/{table}")["decisions"]
            page.reload()
            at_once(page)
            assert ask(page, "GET", f"/api/tables/{table}")["decisions"][: len(before)] == before
    assert clicks > 0.7 * decisions > 0
    assert "over" in page.locator("#ending").inner_text()
    mine = [m for m in ask(page, "GET", f"/api/tables/{table}")["decisions"] if m["seat"] == 0]
    assert decisions <= len(mine), "what is forced plays itself"
    assert served[1].tables.find(table).record.over


def test_a_click_is_not_lost_when_the_table_is_drawn_again_under_it(page):
    """This happens shortly after a decision: the page learns of it by its request, then again."""
    new_table(page, "fiddlefoo", seats_of("fiddlefoo"))
    assert my_move(page)
    spot = page.locator("#picture .spot[role=button]:not([aria-haspopup])").first
    spot.hover()

    def click():
        page.mouse.down()
        with page.expect_response(lambda answer: "/frames/" in answer.url):
            page.evaluate("window.dispatchEvent(new HashChangeEvent('hashchange'))")
        page.wait_for_timeout(200)  # until the result is shown
        page.mouse.up()

    decide(page, click)


def test_a_game_is_chosen_and_played_with_keys_alone(page):
    """Choose with arrows, begin with Enter, play with digits and Tab."""
    page.wait_for_selector("#seat-list li")
    page.locator("#games input:checked").focus()
    while page.locator("#games input:checked").get_attribute("value") != "quiddler_solitaire":
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    at_once(page)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('spot')"):
            break
    assert "stack" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    decide(page, lambda: page.keyboard.press("Enter"))
    by_digits = 0
    while by_digits < 5 and my_move(page):  # some deals are over sooner
        decide(page, lambda: page.keyboard.press("1"))
        by_digits += 1
    assert by_digits


def test_the_strongest_is_the_one_that_was_measured_to_be(page):
    for name, number, cooperative, who, guide in [
        ("addtoo", 2, False, "search", "addtoo_2p"),
        ("addtoo", 3, False, "expert", ""),
        ("fiddlefoo", 4, False, "search", "fiddlefoo_tables"),
        ("fiddlefoo", 2, True, "expert", ""),
        ("fiddlefoo", 4, True, "fiddlefoo_team", ""),
        ("diddly", 2, False, "search", "diddly_2p"),
    ]:
        open_address(page, "/")
        page.wait_for_selector("#seat-list li")
        page.check(f"#games input[value={name}]")
        page.locator("#more-rules").evaluate("one => one.setAttribute('open', '')")
        page.locator("#param-num_players").select_option(label=str(number))
        if cooperative:
            page.locator("#param-cooperative").check()
        page.locator("#seat-1").select_option("search")
        page.get_by_label("Size of the search, seat 2").fill("7")
        page.click("#preset-strongest")
        seats = page.locator("#seat-list select[data-seat]").all()
        assert [seat.input_value() for seat in seats] == ["me"] + [who] * (number - 1)
        assert page.get_by_label("Size of the search, seat 2").input_value() == "200"
        assert page.get_by_label("Value used by the search, seat 2").input_value() == guide
        is_measured = "wins " in page.locator("#seat-list li").nth(1).inner_text()
        assert is_measured == (who != "expert")


def test_two_people_in_two_browsers(visit):
    me, other = visit(), visit()
    table = new_table(me, "diddly", ["me", "open"])
    other.goto(me.url)
    other.get_by_text("People are playing here").wait_for()
    assert other.locator("#picture svg").count() == 0
    assert "svg" not in json.dumps(ask(other, "GET", f"/api/tables/{table}/frames/0"))
    other.wrong.clear()  # the browser logs the refusal
    assert my_move(me)
    decide(me, me.locator("#actions button").first.click)  # the other page follows without focus
    other.get_by_role("button", name="Sit down").first.click()
    other.wait_for_selector("#picture svg")
    rng, movers = np.random.default_rng(1), {0: 0}  # by decision; forced ones need no click
    while len(movers) < 6:
        now = ask(me, "GET", f"/api/tables/{table}")
        movers[now["moves"]] = now["mover"]
        client = (me, other)[now["mover"]]
        assert my_move(client)
        click_somewhere(client, rng)
    assert {*movers.values()} == {0, 1}
    for client in (me, other):
        decisions = ask(client, "GET", f"/api/tables/{table}")["decisions"]
        assert {k: decisions[k]["seat"] for k in movers} == movers


def test_people_play_again_with_each_other(visit):
    me, other = visit(), visit()
    new_table(me, "kuhn_poker", ["me", "open"])
    other.goto(me.url)
    other.get_by_role("button", name="Sit down").first.click()
    at_once(other)
    rng = np.random.default_rng(1)
    for client in (me, other, me):
        if my_move(client):
            click_somewhere(client, rng)
    met = []
    for client in (me, other):
        assert not my_move(client)
        before = client.url
        client.get_by_role("button", name="Play again").click()
        client.wait_for_url(lambda url, before=before: url != before)
        client.locator("#turn:not(:empty)").wait_for()
        met.append(client.url)
    assert met[0] == met[1]
    assert other.locator("#open-seats").is_hidden()


def test_a_deletion_is_asked_about_once_although_other_tables_change(page):
    table = new_table(page, "diddly", ["me", "open"])
    open_address(page, "/")
    button = page.locator(f"#delete-{table}")
    button.click()
    wanted = {"game": "diddly", "seats": ["me", "open"]}
    other = ask(page, "POST", "/api/tables", wanted)["id"]
    page.wait_for_selector(f"#open-{other}")
    assert button.inner_text().startswith("Really delete")
    button.click()
    button.wait_for(state="detached")


def test_an_invitation_seats_a_fresh_browser(visit, served):
    me = visit()
    me.context.grant_permissions(["clipboard-write"])
    table = new_table(me, "diddly", ["me", "open"])
    me.get_by_role("button", name="Invite another person").click()
    link = me.locator("#invitation-link").input_value()
    open_address(me, "/")
    assert "1 free seat" in me.locator(f"#open-{table}").inner_text()
    open_address(me, f"/table/{table}")
    guest = visit(link=link)
    guest.wait_for_selector("#picture svg")
    assert "invited" not in guest.url
    assert ask(guest, "GET", f"/api/tables/{table}")["my_seat"] == 1
    me.locator("#open-seats").wait_for(state="hidden")
    guest.get_by_label("Your name").fill("Ann")
    guest.get_by_role("button", name="Save").click()
    guest.get_by_text("Saved").wait_for()
    me.locator("#scores").get_by_text("Ann").wait_for()
    open_address(guest, "/")
    second = new_table(guest, "diddly", ["me", "open"])
    guest.wait_for_function("document.querySelector('#my-name').value === 'Ann'")
    assert ask(guest, "GET", f"/api/tables/{second}")["my_name"] == "Ann"


def test_letters_are_taken_back_before_the_word_is_laid(page):
    table = new_table(page, "quiddler_solitaire", ["me"])
    assert my_move(page)
    first = page.locator("#actions button[data-action]").first
    name = first.get_attribute("data-action")
    decide(page, first.click)
    assert page.locator("#table").get_attribute("data-k") == "0+1"
    assert ask(page, "GET", f"/api/tables/{table}")["moves"] == 0
    decide(page, lambda: page.keyboard.press("Backspace"))
    assert page.locator("#take-back").count() == 0
    decide(page, page.locator(f"#actions button[data-action='{name}']").click)
    decide(page, page.locator("#take-back").click)
    assert page.locator("#table").get_attribute("data-k") == "0"


def test_the_advisor_disputes_decisions_after_the_game(page):
    new_table(page, "diddly", ["me", "greedy"], turn_limit=8)
    page.locator("#thoughts summary").click()
    while my_move(page):
        decide(page, page.locator("#actions button[data-action]").first.click)
    row = page.locator("#analysis .disputes button").first
    row.wait_for()
    assert "expert would have played differently" in page.locator("#analysis").inner_text()
    k = row.get_attribute("data-k")
    marked = page.locator(f"#log button[data-k='{k}'].disputed")
    assert marked.count() == 1
    page.evaluate("document.querySelector('#log').replaceChildren()")
    act(page, row.click)
    assert marked.count() == 1, "decisions that are listed later are marked too"
    assert page.locator("#place").inner_text().startswith(f"{k} of")
    told = page.locator("#thoughts-told")
    told.filter(has_text="would choose").wait_for()
    page.route("**/thoughts/*?by=random", lambda route: route.fulfill(status=429))
    page.select_option("#thoughts-by", "random")
    page.locator("#analysis").get_by_text("The server answered with status 429.").wait_for()
    page.unroute("**/thoughts/*?by=random")
    act(page, page.locator("#step-forward").click)
    page.get_by_text("random would have played").wait_for()
    page.wrong.clear()  # the browser logs the refusals
    page.route("**/thoughts/**", lambda _: None)  # no answer comes any more
    page.select_option("#thoughts-by", "greedy")
    assert told.inner_text() + page.locator("#thoughts-list").inner_text() == ""


def test_watched_bots_are_shipped_players(page):
    page.wait_for_selector("#seat-list li")
    page.check("#games input[value=addtoo]")
    page.click("#preset-watch")
    seats = page.locator("#seat-list select[data-seat]").all()
    assert {seat.input_value() for seat in seats} <= {one.name for one in SHIPPED.iterdir()}


def test_a_click_takes_one_request(page):
    new_table(page, "diddly", ["me", "open"])
    assert my_move(page)
    page.wait_for_timeout(500)
    asked = []
    page.on("request", lambda one: asked.append((one.method, one.url.rpartition("/")[2])))
    decide(page, page.locator("#actions button[data-action]").first.click)
    page.wait_for_timeout(300)
    assert asked == [("POST", "play")]


def test_what_a_decision_leads_to_is_shown_after_an_idle_press_of_space(page):
    """At a decision of one's own there is nothing to pause."""
    new_table(page, "diddly", ["me", "greedy"])
    assert my_move(page)
    page.keyboard.press(" ")
    decide(page, page.locator("#actions button").first.click)
    assert my_move(page)


def test_a_page_that_was_refused_news_asks_for_them_again(page):
    asked = []

    def refuse_once(route):
        asked.append(route)
        if len(asked) == 1:
            route.fulfill(status=429)
        else:
            route.continue_()

    page.route("**/events", refuse_once)
    with page.expect_response(lambda answer: "/events" in answer.url and answer.ok):
        new_table(page, "diddly", ["me", "greedy"])
    page.wrong.clear()  # the browser logs the first refusal


def test_a_lost_connection_is_told_and_the_game_goes_on(page):
    new_table(page, "diddly", ["me", "greedy"])
    assert my_move(page)
    page.context.set_offline(True)
    page.locator("#actions button").first.click()
    page.locator("#offline:not([hidden]), #message:not([hidden])").first.wait_for()
    page.context.set_offline(False)
    page.wrong.clear()  # the browser logs every failed request
    page.locator("#offline").wait_for(state="hidden")
    assert my_move(page)
    decide(page, page.locator("#actions button").first.click)


def test_where_news_are_held_back_the_page_asks_for_them(visit):
    me, other = visit(), visit()
    table = new_table(me, "diddly", ["me", "open"])
    other.route("**/events", lambda _: None)  # never answered, as by a proxy that waits for the end
    open_address(other, f"/table/{table}")
    other.get_by_role("button", name="Sit down").first.click()
    at_once(other)
    assert my_move(me)
    decide(me, me.locator("#actions button").first.click)
    other.locator("#table[data-k='1']").wait_for()
    assert other.locator("#held-up").is_visible()
    assert me.locator("#held-up").is_hidden()


# --- Watching -------------------------------------------------------------------------------------


def test_a_saved_game_is_opened_stepped_through_shared_and_saved_again(page, tmp_path):
    game = find_game("diddly")
    session = Session(game, game.make_params(rounds=1), 3)
    while not session.over:
        session.play(session.legal_actions()[-1])
    session.save(tmp_path / "saved.json", ["greedy", "expert"])
    page.get_by_role("link", name="Replay").click()
    page.wait_for_url("**/replay")
    page.wait_for_load_state("networkidle")
    page.set_input_files("input[type=file]", tmp_path / "saved.json")
    page.wait_for_url("**/table/*")
    page.wait_for_selector("#picture svg")
    moves = len(session.transcript)
    act(page, page.locator("#step-last").click)
    act(page, page.locator("#step-first").click)
    assert page.locator("#log li").count() == moves
    act(page, page.locator("#step-forward").click)
    act(page, lambda: page.keyboard.press("ArrowRight"))
    page.locator("#thoughts summary").click()
    page.locator("#thoughts-told", has_text="would choose").wait_for()
    slider = page.locator("#slider")
    act(page, partial(slider.fill, "7"))
    act(page, lambda: page.select_option("#view", "player_1"))
    page.locator("#share").click()
    link = page.locator("#shared-link").input_value()
    with page.expect_download() as download:
        page.locator("#download").click()
    download.value.save_as(tmp_path / "again.json")
    again = read_saved(tmp_path / "again.json")
    assert again.actions == [move.action for move in session.transcript]
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_url("**/table/*")
    page.wait_for_selector("#picture svg")
    assert "7" in page.locator("#place").inner_text()
    assert page.get_by_role("status").filter(has_text="7 of").count() == 0, "it is told once"
    page.go_back()
    assert page.url == "about:blank"


def test_bots_are_watched_and_their_thoughts_are_shown(page):
    new_table(page, "diddly", ["diddly_2p", "greedy"], rounds=5)
    page.wait_for_selector("#ending:not([hidden])")
    act(page, page.locator("#step-first").click)
    page.locator("#thoughts summary").click()
    page.locator("#thoughts-list", has_text="%").wait_for()
    act(page, page.locator("#step-forward").click)
    act(page, page.locator("#step-play").click)
    page.wait_for_selector("#ending:not([hidden])")


def test_the_focus_goes_to_the_thoughts_that_are_shown_in_addition(page):
    new_table(page, "diddly", ["me", "greedy"], cards=9)
    assert my_move(page)
    page.locator("#thoughts summary").click()
    page.select_option("#thoughts-by", "greedy")
    page.get_by_role("button", name="Show all 9").press("Enter")
    assert page.evaluate("document.activeElement.matches('#thoughts-list tr:nth-child(9)')")


# --- Sizes and pages ------------------------------------------------------------------------------


def test_the_smallest_letters_can_be_read(visit):
    """In a window of 1280 pixels, of which a scroll bar takes 15."""
    page = visit({"width": 1265, "height": 800})
    for name in QUICK:
        new_table(page, name, seats_of(name))
        assert page.evaluate(SMALLEST) >= 11, name


SMALLEST = """() => {
  const svg = document.querySelector("#picture svg");
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const texts = [...svg.querySelectorAll("text")].filter((one) => one.textContent);
  return Math.min(...texts.map((one) => one.getAttribute("font-size") * scale));
}"""


def test_action_cards_are_explained(visit):
    _, talkytoot, _ = find_game("fiddlefoo").render.param_infos["talkytoot"].values
    for options in ({}, {"has_touch": True, "is_mobile": True}):
        page = visit(PHONE if options else SCREEN, **options)
        new_table(page, "fiddlefoo", ["me", "greedy"], talkytoot=talkytoot)
        assert my_move(page)
        card = page.locator("#picture [data-note]").last
        told = card.get_attribute("data-note")
        if options:
            card.tap()
            page.get_by_text(told).first.wait_for()
        else:
            card.hover()
            assert page.locator("#tip").inner_text() == told


@every_game
def test_a_phone_shows_the_tall_drawing_and_nothing_sideways(visit, name):
    page = visit(PHONE, has_touch=True, is_mobile=True)
    assert fits(page)
    new_table(page, name, seats_of(name))
    assert my_move(page)
    assert page.locator("#picture svg").get_attribute("viewBox").startswith("0 0 560 ")
    assert fits(page)
    for viewport in (PHONE, ZOOMED):
        page.set_viewport_size(viewport)
        assert page.evaluate(COVERED) == []
    spots = page.locator("#picture .spot[role=button]")
    if spots.count():
        assert page.locator("#actions details[open]").count() == 0
        page.locator("#actions summary").tap()
    button = page.locator("#actions button[data-action]").first
    assert button.bounding_box()["height"] >= 40
    decide(page, button.tap)


ZOOMED = {"width": 640, "height": 400}
"""A window of 1280 x 800 pixels at a zoom of 200 %."""
COVERED = """() => {
  const picture = document.querySelector("#picture");
  const wrong = [];
  for (let part = 0.02; part < 1; part += 0.07) {
    const box = picture.getBoundingClientRect();
    window.scrollBy(0, box.top + part * box.height - window.innerHeight / 2);
    for (const across of [0.1, 0.5, 0.9]) {
      const now = picture.getBoundingClientRect();
      const [x, y] = [now.left + across * now.width, now.top + part * now.height];
      const top = document.elementFromPoint(x, y);
      if (!picture.contains(top)) wrong.push([part, across, top?.id]);
    }
  }
  return wrong;
}"""
"""Points of the drawing that something else covers, wherever the page is scrolled to."""


def test_a_long_name_of_a_player_fits_on_a_phone(visit, served):
    name = 150 * "x"
    shutil.copytree(SHIPPED / "diddly_2p", served[1].pool._runs / name / "final")
    page = visit(PHONE)
    for address in ("/", "/results"):
        open_address(page, address)
        page.wait_for_load_state("networkidle")
        assert fits(page)
    new_table(page, "diddly", [name, "greedy"], rounds=5)
    page.wait_for_selector("#view-label:not([hidden])")
    assert fits(page)


def test_every_page_fits_and_names_its_controls(visit):
    for viewport in (SCREEN, PHONE):
        page = visit(viewport)
        for address in ("/", "/replay", "/results"):
            open_address(page, address)
            page.wait_for_load_state("networkidle")
            assert fits(page)
            assert page.locator("h1").count() == 1
            assert page.evaluate(UNNAMED) == []


UNNAMED = """() => [...document.querySelectorAll("button, input, select, a[href]")]
  .filter((one) => one.checkVisibility())
  .filter((one) => !(one.innerText || one.ariaLabel || one.title || one.labels?.length ||
                     one.querySelector("img[alt]")))
  .map((one) => one.outerHTML)"""
"""Controls without a name for screen readers."""
