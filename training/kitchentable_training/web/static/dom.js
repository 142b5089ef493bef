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

/**
 * Make an element.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes] by name; `onclick` and the like are listeners; true
 *   is an empty attribute; false, null and undefined are none
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(
    ...children.filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/**
 * Make a button that deletes something when it is pressed a second time.
 *
 * @param {string} id
 * @param {string | Node} what follows "Delete"
 * @param {() => void} act
 */
export function deleteButton(id, what, act) {
  const button = el("button", { type: "button", id, class: "quiet danger" });
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
 * @param {string} [many]
 */
export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}
