/** The page that opens saved games. */

import { wordsOf } from "./api.js";
import { byId, showText } from "./dom.js";
import { makeReplay, offerTranscripts } from "./transcript.js";

offerTranscripts();
openLink();
window.addEventListener("hashchange", openLink);

/** Open the game that the address carries, if it does. */
async function openLink() {
  const link = location.hash.slice(1);
  if (!link) return;
  const opening = byId("opening");
  opening.hidden = false;
  try {
    // Not beside this address, which would open it again on the way back.
    location.replace(await makeReplay({ link }));
  } catch (error) {
    showText(byId("transcript-error"), wordsOf(error));
  } finally {
    opening.hidden = true;
  }
}
