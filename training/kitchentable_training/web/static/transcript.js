/** Opening a saved game: a file that the user chooses or drops, or a link that carries a game. */

import { post, wordsOf } from "./api.js";
import { byId, showText } from "./dom.js";

const LARGEST = 500_000; // bytes; the server takes little more

/** Make the form on this page work. */
export function offerTranscripts() {
  const form = byId("transcript");
  const input = /** @type {HTMLInputElement} */ (byId("transcript-file"));
  input.addEventListener("change", () => {
    open(input.files?.[0]);
    input.value = ""; // else the same file, chosen again when it is corrected, would be no change
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    open(event.dataTransfer?.files[0]);
  });
}

/** @param {File | undefined} file */
async function open(file) {
  if (!file) return;
  const error = byId("transcript-error");
  error.textContent = "";
  try {
    if (file.size > LARGEST) throw new Error(`${file.name} is too large for a transcript.`);
    location.assign(await makeReplay({ transcript: await file.text() }));
  } catch (problem) {
    showText(error, wordsOf(problem));
  }
}

/**
 * Let the server read a game; return the address at which it is shown.
 *
 * @param {{transcript: string} | {link: string}} what
 */
export async function makeReplay(what) {
  const { id, k } = await post("/api/replays", what);
  return `/table/${id}#k=${k}`;
}
