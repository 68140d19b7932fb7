import { QueryClient } from "@tanstack/react-query";

import { mayRecover } from "../../api-client/query-answer.ts";
import { readToken, removeToken, tokenStorageKey } from "../../api-client/token.ts";

const staleMs = 30_000;

/** What the server has answered. In memory only: it is personal, and computers are shared. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: staleMs, retry: mayRecover } },
});

/** Ends the use of the account in this browser, and opens the home page as a new document. */
export function signOut(): void {
  removeToken();
  queryClient.clear();
  location.assign("/");
}

/** Nothing personal stays on screen after a sign-out in another tab, or by going back to a page. */
export function followSignOut(): void {
  window.addEventListener("storage", ({ key }) => {
    if ((key === null || key === tokenStorageKey) && readToken() === null) signOut();
  });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}
