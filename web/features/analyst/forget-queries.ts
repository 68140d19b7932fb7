/** Prefix of the keys in local storage: texts of queries, by account. They may be private. */
export const queriesPrefix = "analyst-queries:";

/** Forgets the queries of every account, at sign-out. Apart from the console, which few accounts load. */
export function forgetQueries(): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(queriesPrefix)) localStorage.removeItem(key);
  } catch {
    // Storage is blocked: nothing is kept.
  }
}
