/** Where the bearer token is kept (specification §3). */
export const tokenStorageKey = "token";

export function readToken(): string | null {
  try {
    return localStorage.getItem(tokenStorageKey);
  } catch {
    // Storage that is blocked holds no token.
    return null;
  }
}

/** Forgets a token that the platform refused and goes to the sign-in page. */
export function leaveForSignIn(): void {
  try {
    localStorage.removeItem(tokenStorageKey);
  } catch {
    // Nothing was stored.
  }
  location.assign("/login");
}
