import type { Viewing } from "@pro-talent/schemas/links/viewing";

/** The first report follows so soon after the page is visible, the next ones in such intervals of use. */
const firstSeconds = 1;
const everySeconds = 15;
/** A page that no one has touched for so long is on the screen, but not in use. */
const idleSeconds = 60;

/**
 * Reports to the page's own address that it is visible, and what was seen of it: nothing about its
 * reader. A page that a browser draws ahead of time reports nothing until it is shown.
 * @param address path of the page
 */
export function reportViewing(address: string) {
  const seen: Viewing = { seconds: 0, pages: 0, pagesTotal: 0, downloaded: false };
  let sent = "";
  let lastUse = 0;
  const send = (): void => {
    const body = JSON.stringify(seen);
    if (body === sent || seen.seconds < firstSeconds) return;
    sent = body;
    // Outlives the page. What is lost is in the next report: each has the totals.
    void fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      keepalive: true,
      credentials: "omit",
    }).catch(() => (sent = ""));
  };
  const used = (): void => {
    lastUse = seen.seconds;
  };
  for (const kind of ["pointerdown", "pointermove", "keydown", "scroll", "wheel"])
    addEventListener(kind, used, { passive: true });
  const second = (): void => {
    if (document.visibilityState !== "visible") return;
    if (seen.seconds - lastUse >= idleSeconds) return;
    seen.seconds += 1;
    if (seen.seconds === firstSeconds || seen.seconds % everySeconds === 0) send();
  };
  const start = (): void => void setInterval(second, 1000);
  if ("prerendering" in document && document.prerendering === true)
    document.addEventListener("prerenderingchange", start, { once: true });
  else start();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") send();
  });
  addEventListener("pagehide", send);
  return {
    /** @param pages of the PDF, or sections of the portfolio, that were shown so far, of `total` */
    pagesSeen: (pages: number, total: number): void => {
      seen.pages = pages;
      seen.pagesTotal = total;
    },
  };
}
