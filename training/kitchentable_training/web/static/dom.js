/** Small helpers to find and make elements. Text from the server only ever becomes text nodes. */

/**
 * Return the element with an id, which the page must have.
 *
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`this page has no #${id}`);
  return /** @type {T} */ (/** @type {unknown} */ (found));
}

/** @typedef {Node | string | null | undefined | false} Child what is no node and no text is none */

/**
 * Make an element. A button submits no form.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes] by name; `onclick` and the like are listeners; true
 *   is an empty attribute; false, null and undefined are none
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  if (element instanceof HTMLButtonElement) element.type = "button";
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  fill(element, ...children);
  return element;
}

/**
 * Replace what is in an element.
 *
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren(
    ...children.filter((child) => child !== null && child !== undefined && child !== false),
  );
}

/**
 * Make a button that deletes something when it is pressed a second time.
 *
 * @param {string} id
 * @param {string | Node} what follows "Delete"
 * @param {() => void} act
 */
export function deleteButton(id, what, act) {
  const button = el("button", { id, class: "quiet danger" });
  const ask = (/** @type {boolean} */ sure) => {
    button.toggleAttribute("data-sure", sure);
    button.replaceChildren(sure ? "Really delete" : "Delete", what);
  };
  button.addEventListener("click", () => (button.hasAttribute("data-sure") ? act() : ask(true)));
  button.addEventListener("blur", () => ask(false));
  ask(false);
  return button;
}

/**
 * Make the options of a select; keep what was chosen if it is still there.
 *
 * @param {HTMLSelectElement} select
 * @param {(HTMLOptionElement | HTMLOptGroupElement)[]} options
 */
export function fillSelect(select, options) {
  const before = select.value;
  select.replaceChildren(...options);
  if ([...select.options].some((option) => option.value === before)) select.value = before;
}

/**
 * Show a text in an element, or hide the element if there is none.
 *
 * @param {HTMLElement} element
 * @param {string | null | undefined} text
 */
export function showText(element, text) {
  element.textContent = text ?? "";
  element.hidden = !text;
}

/**
 * @param {number} count
 * @param {string} one
 */
export function plural(count, one) {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

/**
 * All numbers between two: `2–6`, `1–10,000`.
 *
 * @param {number} low
 * @param {number} high
 */
export function span(low, high) {
  return `${low.toLocaleString("en-US")}–${high.toLocaleString("en-US")}`;
}

const GAP = 8; // pixels around a box that is shown beside something

/**
 * Place a box above or below a part of the page, on the other side where it does not fit.
 *
 * @param {HTMLElement} box with a fixed position
 * @param {DOMRect} at the part
 * @param {boolean} above where it is rather
 */
export function placeBeside(box, at, above) {
  const { offsetWidth: width, offsetHeight: height } = box;
  const [over, under] = [at.top - GAP - height, at.bottom + GAP];
  const fits = above ? over >= 0 : under + height <= window.innerHeight;
  const left = Math.min(at.left + at.width / 2 - width / 2, window.innerWidth - width - GAP);
  box.style.top = `${above === fits ? Math.max(GAP, over) : under}px`;
  box.style.left = `${Math.max(GAP, left)}px`;
}
