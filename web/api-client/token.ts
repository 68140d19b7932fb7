/** Key of the bearer token in local storage (specification §3). */
export const tokenStorageKey = "token";

export function readToken(): string | null {
  try {
    return localStorage.getItem(tokenStorageKey);
  } catch {
    // Storage is blocked.
    return null;
  }
}

/** Removes the refused token and opens the sign-in page. */
export function leaveForSignIn(): void {
  try {
    localStorage.removeItem(tokenStorageKey);
  } catch {
    // Storage is blocked.
  }
  location.assign("/login");
}
