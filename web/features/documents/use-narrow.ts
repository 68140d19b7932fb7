import { useSyncExternalStore } from "react";

/** Narrower than this, form and page are shown one at a time; the style sheet has the same width. */
const query = "(width < 64rem)";

function subscribe(listener: () => void): () => void {
  const media = matchMedia(query);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** Whether there is space for one column only. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(subscribe, () => matchMedia(query).matches);
