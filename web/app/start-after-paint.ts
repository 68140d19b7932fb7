/** Longer than any device needs to paint a page; then the application starts anyway. */
const waitMs = 2_000;

/**
 * Resolves after the first paint with fonts. A background page is not painted and does not wait.
 */
function painted(): Promise<unknown> {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    setTimeout(resolve, waitMs);
    document.addEventListener("visibilitychange", resolve, { once: true });
    const { fonts } = document;
    // Not `fonts.ready`, which makes the browser lay out the page at once.
    const withFonts = (): void => {
      if (fonts.status === "loaded") resolve(undefined);
      else fonts.addEventListener("loadingdone", resolve, { once: true });
    };
    new PerformanceObserver(withFonts).observe({ type: "paint", buffered: true });
  });
}

function parsed(): Promise<unknown> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("DOMContentLoaded", resolve, { once: true });
  });
}

function nextTask(): Promise<unknown> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", resolve, { once: true });
    port1.start();
    port2.postMessage(undefined);
  });
}

/**
 * Loads the application after the first paint. The prerendered document is complete without it, and
 * on a slow connection its code would compete with the fonts. The document names its modules, the
 * entry first, in `<meta name="modules">`; in development there is none.
 */
export async function startAfterPaint(): Promise<void> {
  const named = document.querySelector('meta[name="modules"]')?.getAttribute("content");
  const [entry, ...others] = named?.split(" ") ?? [];
  if (entry === undefined) return;
  await Promise.all([parsed(), painted()]);
  for (const module of others) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = module;
    document.head.append(link);
    // Starting a request takes a phone some milliseconds.
    await nextTask();
  }
  // Each module runs in a task of its own, so that input is handled in between.
  for (const module of [...others, entry]) {
    await import(/* @vite-ignore */ module);
    await nextTask();
  }
}
