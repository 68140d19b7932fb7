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

const storageKey = "reloaded";

/**
 * Loads the current address as a new document: after a release, the new document names files that
 * exist. Only once per build and address, so that it never repeats; not without a connection, when
 * the browser's own error page would replace the application.
 * @returns whether the document is being replaced
 */
export function reloadOnce(): boolean {
  const build = document.querySelector('meta[name="modules"]')?.getAttribute("content") ?? "";
  const attempt = `${build} ${location.pathname}`;
  try {
    if (!navigator.onLine || sessionStorage.getItem(storageKey) === attempt) return false;
    sessionStorage.setItem(storageKey, attempt);
  } catch {
    // Storage is blocked: without the mark the reload could repeat.
    return false;
  }
  location.reload();
  return true;
}
