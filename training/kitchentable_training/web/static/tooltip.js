/** What parts of the drawing mean, beside them: under the mouse, with the focus, or by a tap. */

import { byId, placeBeside } from "./dom.js";

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
  placeBeside(tip, part.getBoundingClientRect(), true);
}
