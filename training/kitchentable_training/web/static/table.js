/** The page of one table: puts its parts together. */

import { ActionsView } from "./actions.js";
import { Analysis } from "./analysis.js";
import { Announcer } from "./announcer.js";
import { Bell } from "./bell.js";
import { ApiError, get, isAbort, isLost, post, rulesPath, wordsOf } from "./api.js";
import { byId, el, fill, showText } from "./dom.js";
import { EndingView } from "./ending.js";
import { keepFocus } from "./focus.js";
import { listenToKeys } from "./keys.js";
import { LogView } from "./log.js";
import { closeMenu } from "./menu.js";
import { Naming } from "./naming.js";
import { PictureView } from "./picture.js";
import { Playback } from "./playback.js";
import { renderScores } from "./scores.js";
import { isLocal, shareLink } from "./share.js";
import { StatusView } from "./status.js";
import { TableModel } from "./table_model.js";
import { ThoughtsView } from "./thoughts.js";
import { calm, TransportView } from "./transport.js";
import { playerName } from "./words.js";

/** @import {Frame} from "./types.js" */

const RETRY = 2000; // milliseconds
const OUTSIDE = "People are playing here. Only they can see the table until the game is over.";
const LOCAL =
  "This link works only on this computer, unless kitchentable serve has a --host and --allow-host.";
const PHONE = matchMedia("(max-width: 699px)");

class TablePage {
  constructor() {
    this.model = new TableModel(byId("table").dataset.id ?? "");
    this.playback = new Playback();
    this.view = "";
    /** @type {Frame | null} */
    this.frame = null;
    /** what the drawing and the buttons show */
    this.drawn = "";
    /** what the views and open seats that are offered were made of */
    this.seats = "";
    /** @type {AbortController | null} */
    this.loading = null;
    /** @type {number | null} the position in which a decision is on its way */
    this.sending = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retry = undefined;
    const choose = (/** @type {string | null} */ action) => this.choose(action);
    this.picture = new PictureView(choose);
    this.actions = new ActionsView(choose, (action, on) => this.picture.light(action, on));
    this.status = new StatusView(this.model);
    this.log = new LogView(this.model, (k) => this.playback.goTo(k));
    const analysis = new Analysis(
      this.model,
      (k) => this.playback.goTo(k),
      (disputed) => this.log.mark(disputed),
    );
    this.thoughts = new ThoughtsView(this.model, analysis);
    this.ending = new EndingView(this.model, this.playback, (text) => this.complain(text));
    this.naming = new Naming(this.model);
    this.announcer = new Announcer(this.model);
    this.bell = new Bell();
    this.transport = new TransportView(this.model, this.playback, (view) => this.look(view));
  }

  async open() {
    await this.model.refresh();
    await this.takeInvitation();
    this.describe();
    this.model.addEventListener("change", () => this.changed());
    this.model.addEventListener("online", () => showConnection(""));
    this.model.addEventListener("offline", () => showConnection("offline"));
    this.model.addEventListener("held up", () => showConnection("held-up"));
    this.model.addEventListener("refused", (event) => {
      showConnection("");
      this.leave(/** @type {CustomEvent<string>} */ (event).detail);
    });
    this.playback.addEventListener("show", () => this.show());
    this.playback.addEventListener("state", () => this.renderPlace());
    PHONE.addEventListener("change", () => this.show());
    byId("back-to-now").addEventListener("click", () => {
      byId("situation").focus({ preventScroll: true }); // the button goes
      this.playback.goTo(this.playback.moves);
    });
    listenToKeys(
      this.playback,
      (number) => this.choose(this.actions.order[number - 1]),
      () => this.choose(this.frame?.drafted ? null : undefined),
    );
    this.begin();
    window.addEventListener("hashchange", () => this.begin());
    this.model.listen();
    this.offerThoughts();
  }

  /** Start where the address says, or now. */
  begin() {
    const { moves, ended } = this.model;
    this.playback.update(moves, ended);
    const place = new URLSearchParams(location.hash.slice(1));
    const k = Number.parseInt(place.get("k") ?? "", 10);
    const back = k >= 0 && k <= moves;
    this.playback.reached = ended ? moves : back ? k : moves;
    this.playback.start(back ? k : moves, back ? place.has("play") && !calm() : !ended);
  }

  /** The table has changed. */
  changed() {
    const seats = this.seats;
    this.describe();
    const { over } = this.model.info;
    if (over && !this.view && this.offered !== over) this.offerThoughts();
    this.playback.update(this.model.moves, this.model.ended);
    // Who sits where, or whether it has stopped, may have changed with no decision made.
    const same = !this.frame || this.frame.k === this.playback.k;
    const current = (this.playback.atNow && same) || seats !== this.seats;
    if (current && this.sending === null) this.show();
    else this.renderPlace();
  }

  /** Show what depends on the table as a whole. */
  describe() {
    const { info } = this.model;
    byId("title").textContent = info.title;
    byId("about").textContent = info.about;
    byId("how-to-play").setAttribute("href", rulesPath(info.game, info.params));
    this.naming.render();
    showText(byId("failed"), info.failed && `The game cannot continue: ${info.failed}.`);
    const anew = info.retrained.map(playerName).join("; ");
    const since = "Retrained since this game began, so play may differ from here on";
    showText(byId("retrained"), anew && `${since}: ${anew}.`);
    byId("table").classList.toggle("outside", !this.model.mayLook);
    // Only when it has changed: made anew, a button loses the focus and a select closes.
    const seats = JSON.stringify([info.seats, info.may_see_all]);
    if (seats === this.seats) return;
    this.seats = seats;
    this.transport.offerViews();
    this.renderOpenSeats();
  }

  renderOpenSeats() {
    const { info } = this.model;
    const open = info.seats.flatMap((seat, i) => (seat.open ? [i] : []));
    const note = byId("open-seats");
    note.hidden = open.length === 0 || info.kind === "replay";
    const free = open.length === 1 ? "A seat is free. " : `${open.length} seats are free. `;
    const sit = el("button", { class: "primary", onclick: () => this.sit(open[0]) }, "Sit down");
    const invitation = info.invitation ? this.#invitation(info.invitation) : [];
    fill(note, free, info.my_seat === null && sit, ...invitation);
  }

  /** @param {string} path */
  #invitation(path) {
    const box = el("div", { id: "invitation", role: "status" });
    const invite = el(
      "button",
      { id: "invite", onclick: () => shareLink(box, "invitation-link", "Invitation", path) },
      "Invite another person",
    );
    return [invite, box, isLocal() && el("span", { class: "hint" }, LOCAL)];
  }

  /** Sit down, if this browser has come by an invitation. */
  async takeInvitation() {
    if (!new URLSearchParams(location.search).has("invited")) return;
    history.replaceState(null, "", location.pathname + location.hash);
    const { info } = this.model;
    if (info.my_seat !== null) return;
    const free = info.seats.findIndex(({ open }) => open);
    if (free < 0) this.complain("The seat you were invited to is taken.");
    else await this.sit(free);
  }

  /** @param {number} seat */
  async sit(seat) {
    try {
      await post(`${this.model.path}/sit`, { seat });
      await this.model.refresh();
      this.complain("");
      byId("situation").focus({ preventScroll: true }); // the button has gone
    } catch (error) {
      this.complain(wordsOf(error));
    }
  }

  /** @param {string} view */
  look(view) {
    this.view = view;
    this.show();
  }

  /** Get the frame that is to be shown, and show it; a request for another one is given up. */
  async show() {
    clearTimeout(this.retry);
    this.loading?.abort();
    if (!this.model.mayLook) {
      this.status.say(OUTSIDE);
      document.title = this.model.info.title;
      this.playback.shown(); // so that it follows, and is at now when there is something to see
      this.renderPlace();
      return;
    }
    this.loading = new AbortController();
    const { signal } = this.loading;
    const { k } = this.playback;
    try {
      const frame = await this.model.frame(k, this.viewNow(), PHONE.matches, { signal });
      if (signal.aborted) return;
      const news = frame.over && this.frame?.over === false;
      this.frame = frame;
      byId("offline").hidden = true;
      this.render(frame);
      this.playback.shown();
      this.renderPlace();
      // How it ended stands on top, out of sight of who has scrolled down to the cards.
      if (news && PHONE.matches) window.scrollTo({ top: 0, behavior: calm() ? "auto" : "smooth" });
      if (this.playback.running && !this.playback.atNow) this.prefetch(k + 1);
    } catch (error) {
      if (!isAbort(error)) this.failed(error);
    }
  }

  /**
   * A frame could not be had. If that is because the server does not answer, it is asked again.
   *
   * @param {unknown} error
   */
  failed(error) {
    if (isLost(error)) {
      showConnection("offline");
      this.retry = setTimeout(() => this.show(), RETRY);
      return;
    }
    this.playback.stop();
    this.complain(wordsOf(error));
  }

  /** The view that was chosen, as far as it may be had; else the server's choice. */
  viewNow() {
    return this.model.info.may_see_all ? this.view : "";
  }

  /** @param {number} k */
  prefetch(k) {
    if (k >= this.playback.moves || this.playback.delay === 0) return;
    this.model.frame(k, this.viewNow(), PHONE.matches, { quiet: true }).catch(() => {});
  }

  /** Whether this user may choose now. */
  get mayAct() {
    return (
      Boolean(this.frame?.may_act) && this.frame?.k === this.model.moves && this.playback.atNow
    );
  }

  /** @param {Frame} frame */
  render(frame) {
    const { names } = this.model;
    const mayAct = this.mayAct;
    const { situation } = frame;
    const place = frame.k + (frame.drafted ? `+${frame.drafted}` : "");
    // The same position drawn again leaves an open menu as it is.
    if (byId("table").dataset.k !== place) closeMenu();
    // What is drawn already stays: a click may have begun there, and would be lost.
    const drawn = JSON.stringify([frame.k, frame.svg, frame.legal, situation, mayAct]);
    keepFocus(() => {
      if (drawn !== this.drawn) {
        this.picture.render(frame, `The table. ${situation}`, mayAct);
        this.actions.render(frame, mayAct, this.picture.spots);
      }
      this.status.render(frame, mayAct, this.picture.spots.size > 0);
    });
    this.drawn = drawn;
    byId("words").textContent = frame.text;
    renderScores(frame, names);
    this.ending.render(frame);
    this.thoughts.update(frame);
    this.transport.view.value = frame.view;
    if (this.view === "mover" && !frame.over) this.transport.view.value = "mover";
    this.announcer.tell(frame, this.playback, mayAct);
    byId("table").dataset.k = place;
    this.bell.update(mayAct);
  }

  /** Show where in the game this is. */
  renderPlace() {
    const { playback, model } = this;
    this.transport.render();
    this.log.render(playback.reached, playback.k);
    const back = model.playing && !playback.running && !playback.atNow;
    const note = byId("looking-back");
    note.hidden = !back;
    const words = `Earlier position: ${playback.k} of ${playback.moves} decisions.`;
    if (note.firstElementChild) note.firstElementChild.textContent = words;
    const keep = !playback.atNow && !(model.playing && playback.running);
    const hash = keep ? `#k=${playback.k}${playback.running ? "&play=1" : ""}` : "";
    if (location.hash !== hash) history.replaceState(null, "", location.pathname + hash);
  }

  /** @param {string | null | undefined} action null: take back a letter */
  async choose(action) {
    // The next position may be shown before the answer to the last decision is here.
    if (action === undefined || !this.mayAct || !this.frame || this.sending === this.frame.k) return;
    const at = this.frame;
    const { k } = at;
    this.sending = k;
    this.actions.sending(true);
    this.complain("");
    try {
      this.playback.played(k);
      const frame = await this.model.play(action, at, PHONE.matches);
      if (frame.k === k) {
        this.frame = frame; // a letter, which may be taken back
        this.render(frame);
      }
    } catch (error) {
      this.actions.sending(false);
      if (isLost(error)) {
        this.failed(error);
        return;
      }
      const stale = error instanceof ApiError && error.status === 409;
      this.complain(wordsOf(error) + (stale ? " Here is the table as it is now." : ""));
      // Something else has happened meanwhile: show it.
      await this.model.refresh().then(
        () => this.show(),
        () => {},
      );
    } finally {
      if (this.sending === k) this.sending = null;
    }
  }

  /** @param {string} text what is wrong; empty: nothing any more */
  complain(text) {
    showText(byId("message"), text);
  }

  /**
   * The table is not there, or no longer: nothing but the way back is shown.
   *
   * @param {string} why
   */
  leave(why) {
    byId("table").classList.add("unknown");
    byId("elsewhere").hidden = false;
    document.title = this.model.info.title ?? document.title;
    this.complain(why);
  }

  async offerThoughts() {
    this.offered = this.model.info.over;
    try {
      const choices = await get("/api/choices", { quiet: true });
      this.thoughts.offer(choices, this.model.info.params);
    } catch (error) {
      this.complain(wordsOf(error));
    }
  }
}

/** @param {string} trouble the notice that is shown: `offline`, `held-up` or none */
function showConnection(trouble) {
  for (const id of ["offline", "held-up"]) byId(id).hidden = id !== trouble;
}

const page = new TablePage();
page.open().catch((error) => page.leave(wordsOf(error)));
