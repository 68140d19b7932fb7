import { useSyncExternalStore } from "react";

/** Narrower than this, the board shows one stage and the calendar is a list; style sheets have the same width. */
const phone = "(width < 40rem)";

function subscribe(listener: () => void): () => void {
  const media = matchMedia(phone);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** Whether the page is as narrow as a phone. */
export const usePhone = (): boolean =>
  useSyncExternalStore(subscribe, () => matchMedia(phone).matches);
