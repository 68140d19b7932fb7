/** The link at the target of an event, if it leads to this site and opens in this window. */
export function siteLinkAt({ target }: Event): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.target !== "") return undefined;
  return link.origin === location.origin ? link : undefined;
}

/** Whether the visitor asked the browser to save data. */
export function savesData(): boolean {
  const connection: unknown = "connection" in navigator ? navigator.connection : undefined;
  return (
    typeof connection === "object" &&
    connection !== null &&
    "saveData" in connection &&
    connection.saveData === true
  );
}

/**
 * Calls `load` with the path of a link that a pointer, the focus or a finger reaches, unless the
 * visitor saves data. Returns a function that ends this.
 */
export function prefetchLinks(load: (pathname: string) => void): () => void {
  if (savesData()) return () => undefined;
  const prefetch = (event: Event): void => {
    const link = siteLinkAt(event);
    if (link !== undefined && link.pathname !== location.pathname) load(link.pathname);
  };
  const signs = ["pointerover", "focusin", "touchstart"] as const;
  for (const sign of signs) document.addEventListener(sign, prefetch, { passive: true });
  return () => {
    for (const sign of signs) document.removeEventListener(sign, prefetch);
  };
}
