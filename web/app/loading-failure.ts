/** Code or texts of a page cannot be fetched. */
export class LoadingFailure extends Error {
  constructor(cause: unknown) {
    super("the page cannot be loaded", { cause });
  }
}

/** Milliseconds before each further attempt: a connection may be lost for a moment. */
const pausesMs = [300, 1_000] as const;

/**
 * Fetches with a bounded number of attempts.
 * @throws LoadingFailure when the last attempt has failed
 */
export async function fetchPersistently<T>(fetchOnce: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await fetchOnce();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  try {
    return await fetchOnce();
  } catch (error) {
    throw new LoadingFailure(error);
  }
}

/** Mark of a history entry whose address was loaded anew; it outlives the document. */
const mark = "reloaded";

/**
 * Loads the current address as a new document: after a release, the new document names files that
 * exist. Only once per navigation, so that it never repeats; not without a connection, when the
 * browser's own error page would replace the application.
 * @returns whether the document is being replaced
 */
export function reloadOnce(): boolean {
  const state: unknown = history.state;
  const entry = typeof state === "object" && state !== null ? state : {};
  if (!navigator.onLine || mark in entry) return false;
  history.replaceState({ ...entry, [mark]: true }, "");
  location.reload();
  return true;
}
