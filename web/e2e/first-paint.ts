import type { Page } from "playwright-core";
import { z } from "zod";

/** The state of a document before one paint. */
const Look = z.object({
  /** Identifies the document; a reload makes a new one. */
  document: z.string(),
  when: z.enum(["frame", "paint"]),
  lang: z.string(),
  dir: z.string(),
  rtl: z.boolean(),
  theme: z.string(),
  background: z.string(),
  /** Empty until the heading has arrived. */
  heading: z.string(),
});
export type Look = z.infer<typeof Look>;

/**
 * Runs first in the document. Reports its look at every frame, before the paint, and at every paint
 * that the browser reports. A document without a body, or hidden, shows nothing yet.
 */
const watcher = `(() => {
  let last = '';
  window.documentName = String(performance.timeOrigin);
  const report = (when) => {
    const root = document.documentElement;
    if (!root || !document.body || root.hidden) return;
    const look = {
      document: window.documentName, when, lang: root.lang, dir: root.dir,
      rtl: document.body.classList.contains('rtl'),
      theme: root.dataset.theme ?? '',
      background: getComputedStyle(root).backgroundColor,
      heading: document.querySelector('main h1')?.textContent ?? '',
    };
    const text = JSON.stringify(look);
    if (text !== last) window.reportLook(text);
    last = text;
  };
  const frame = () => { report('frame'); requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  new PerformanceObserver(() => report('paint')).observe({ type: 'paint', buffered: true });
})()`;

/** Records the looks of all further documents of the page; the returned list grows. */
export async function watchPaints(page: Page): Promise<readonly Look[]> {
  const seen: Look[] = [];
  await page.exposeFunction("reportLook", (text: string) => {
    seen.push(Look.parse(JSON.parse(text)));
  });
  await page.addInitScript(watcher);
  return seen;
}

/** The `document` of the looks of the current document. */
export async function documentName(page: Page): Promise<string> {
  return String(await page.evaluate("window.documentName"));
}

/** A CSS colour of any colour space as `#rrggbb`. */
export function shownColour(page: Page, colour: string): Promise<string> {
  return page.evaluate((written) => {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.fillStyle = written;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  }, colour);
}
