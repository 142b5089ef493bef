"""Take screenshots of the browser page: ``python -m docs.screenshots``.

It requires Chromium, found as ``chromium`` or by the variable `KITCHENTABLE_CHROMIUM`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Browser, Page, sync_playwright

from kitchentable_training.web.serve import in_background

FOLDER = Path(__file__).parent / "pictures"
SCREEN, PHONE = {"width": 1360, "height": 860}, {"width": 390, "height": 844}
SHARP = 2
"""The device pixels per CSS pixel of a phone's screenshot; others have one."""


def main() -> None:
    """Take all screenshots."""
    chromium = os.environ.get("KITCHENTABLE_CHROMIUM") or shutil.which("chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        in_background(Path(folder), Path(folder) / "runs") as (link, _),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with _page(browser, link, SCREEN) as page:
            _play(page, "fiddlefoo", ["me", "expert"], seed=3, decisions=6)
            page.screenshot(path=FOLDER / "page_table.png")
        with _page(browser, link, SCREEN, color_scheme="dark") as page:
            _watch(page, "diddly", ["diddly_2p", "search:rollouts=400"], seed=2, k=50)
            page.screenshot(path=FOLDER / "page_thoughts.png")
        with _page(browser, link, PHONE, device_scale_factor=SHARP, has_touch=True) as page:
            _play(page, "quiddler", ["me", "expert"], {"hand_sizes": [8]}, seed=4, decisions=5)
            page.screenshot(path=FOLDER / "page_phone.png")
            _play(page, "addtoo", ["me", "expert"], seed=4, decisions=5)
            page.screenshot(path=FOLDER / "page_phone_addtoo.png")


@contextmanager
def _page(browser: Browser, link: str, viewport: dict[str, int], **options: Any) -> Iterator[Page]:
    """Open the page in a new browser context."""
    context = browser.new_context(viewport=viewport, **options)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(link)
    yield page
    context.close()


def _table(
    page: Page, game: str, seats: list[str], params: dict[str, Any] | None, seed: int
) -> str:
    request = {"game": game, "params": params or {}, "seats": seats, "seed": seed}
    table: str = page.evaluate(
        """async (wanted) => {
          const headers = { "Content-Type": "application/json" };
          const body = JSON.stringify(wanted);
          const answer = await fetch("/api/tables", { method: "POST", headers, body });
          return (await answer.json()).id;
        }""",
        request,
    )
    return table


def _play(
    page: Page,
    game: str,
    seats: list[str],
    params: dict[str, Any] | None = None,
    *,
    seed: int,
    decisions: int,
) -> None:
    """Play a few decisions, always with the first offered action."""
    table = _table(page, game, seats, params, seed)
    page.goto(urljoin(page.url, f"/table/{table}"))
    page.wait_for_selector("#picture svg")
    page.select_option("#speed", "0")
    for _ in range(decisions):
        page.wait_for_selector("#actions:not([hidden]):not([aria-busy])")
        page.evaluate("document.querySelector('#picture svg').dataset.old = 'yes'")
        # On a phone the list is folded, as the picture can be clicked.
        page.locator("#actions button[data-action]").first.evaluate("button => button.click()")
        page.wait_for_selector("#picture svg:not([data-old])")
    page.wait_for_selector("#actions:not([hidden]):not([aria-busy])")
    page.mouse.move(0, 0)
    page.evaluate("window.scrollTo(0, 0)")


def _watch(page: Page, game: str, seats: list[str], *, seed: int, k: int) -> None:
    """Show one decision of a game of players, and what a player thinks about it."""
    table = _table(page, game, seats, None, seed)
    while not page.evaluate(
        "async (table) => (await (await fetch(`/api/tables/${table}`)).json()).over", table
    ):
        page.wait_for_timeout(500)
    page.goto(urljoin(page.url, f"/table/{table}#k={k}"))
    page.wait_for_selector("#picture svg")
    page.locator("#thoughts summary").click()
    page.wait_for_selector("#thoughts-list *")
    page.wait_for_load_state("networkidle")


if __name__ == "__main__":
    main()
