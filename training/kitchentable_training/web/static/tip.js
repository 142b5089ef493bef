/** What parts of the drawing mean, beside them: under the mouse, with the focus, or by a tap. */

import { byId } from "./dom.js";

const GAP = 8;

/**
 * Explain a part of the drawing on request.
 *
 * @param {Element} part with the explanation in `data-note`
 * @param {boolean} tappable whether a tap does nothing else
 */
export function explain(part, tappable) {
  part.addEventListener("pointerenter", (event) => {
    if (/** @type {PointerEvent} */ (event).pointerType === "mouse") show(part);
  });
  part.addEventListener("pointerleave", hide);
  part.addEventListener("focus", () => show(part));
  part.addEventListener("blur", hide);
  if (tappable) part.addEventListener("click", () => show(part));
}

/** Hide the explanation that is shown. */
export function hide() {
  const tip = byId("tip");
  if (tip.matches(":popover-open")) tip.hidePopover();
}

/** @param {Element} part */
function show(part) {
  const tip = byId("tip");
  tip.textContent = part.getAttribute("data-note");
  tip.showPopover();
  const at = part.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tip;
  const above = at.top - GAP - height;
  const left = at.left + at.width / 2 - width / 2;
  tip.style.top = `${above >= 0 ? above : at.bottom + GAP}px`;
  tip.style.left = `${Math.max(GAP, Math.min(left, window.innerWidth - width - GAP))}px`;
}
