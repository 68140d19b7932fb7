/** Key of the bearer token in local storage (specification §3). */
export const tokenStorageKey = "token";

const signInPath = "/login";
let leaving = false;

export function readToken(): string | null {
  try {
    return localStorage.getItem(tokenStorageKey);
  } catch {
    // Storage is blocked.
    return null;
  }
}

/**
 * Keeps the token of a new sign-in session.
 * @returns whether the browser stores it
 */
export function storeToken(token: string): boolean {
  try {
    localStorage.setItem(tokenStorageKey, token);
    return true;
  } catch {
    // Storage is blocked.
    return false;
  }
}

/** Removes the token, at sign-out and when the server refuses it. */
export function removeToken(): void {
  try {
    localStorage.removeItem(tokenStorageKey);
  } catch {
    // Storage is blocked.
  }
}

/** The sign-in page, which leads to `path` afterwards. */
export function signInAddress(path: string): string {
  return `${signInPath}?${new URLSearchParams({ next: path }).toString()}`;
}

/**
 * The answer to a 401: removes the refused token and opens the sign-in page, once per document,
 * because several calls may be refused together. The sign-in page itself never leads to itself.
 */
export function leaveForSignIn(): void {
  removeToken();
  const { pathname, search } = location;
  if (leaving || pathname === signInPath) return;
  leaving = true;
  location.assign(signInAddress(pathname + search));
}
