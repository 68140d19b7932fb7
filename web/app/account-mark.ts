import { readToken, removeToken } from "../api-client/token.ts";

/** Ends the sign-in session here and on the server; the page stays. */
function signOut(): void {
  const authorization = `Bearer ${readToken() ?? ""}`;
  removeToken();
  fetch("/api/account/sign-out", { method: "POST", keepalive: true, headers: { authorization } })
    // Without a connection the session ends on the server by time.
    .catch(() => undefined);
}

/**
 * Runs in the head: `data-account` on the root says whether this browser has a token, so that the
 * header shows the right links with the first paint, and follows other tabs. Signing out works before
 * the application has started.
 */
export function markAccount(root: HTMLElement): void {
  const show = (): void => {
    root.toggleAttribute("data-account", readToken() !== null);
  };
  show();
  window.addEventListener("storage", show);
  document.addEventListener("click", ({ target }) => {
    const pressed = target instanceof Element && target.closest("button.header__in") !== null;
    if (!pressed || readToken() === null) return;
    signOut();
    show();
    document.querySelector<HTMLElement>("a.header__out")?.focus();
  });
}
