import type { Page } from "playwright-core";
import { z } from "zod";

/** How a document looks at one moment at which the browser may paint it. */
const Look = z.object({
  /** Tells documents apart: a reload is a new one. */
  document: z.string(),
  when: z.enum(["frame", "paint"]),
  lang: z.string(),
  dir: z.string(),
  rtl: z.boolean(),
  theme: z.string(),
  background: z.string(),
  /** Empty while the heading has not arrived yet. */
  heading: z.string(),
});
export type Look = z.infer<typeof Look>;

/**
 * Runs before everything else: tells how the document looks at every frame from the first on, before
 * that frame is painted, and again when the browser reports a paint. A document without a body, or
 * hidden as a whole, shows nothing yet.
 */
const watcher = `(() => {
  let last = '';
  window.documentName = String(performance.timeOrigin);
  const tell = (when) => {
    const root = document.documentElement;
    if (!root || !document.body || root.hidden) return;
    const look = {
      document: window.documentName, when, lang: root.lang, dir: root.dir,
      rtl: document.body.classList.contains('rtl'),
      theme: root.dataset.theme ?? '',
      background: getComputedStyle(root).backgroundColor,
      heading: document.querySelector('main h1')?.textContent ?? '',
    };
    const told = JSON.stringify(look);
    if (told !== last) window.tellLook(told);
    last = told;
  };
  const frame = () => { tell('frame'); requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  new PerformanceObserver(() => tell('paint')).observe({ type: 'paint', buffered: true });
})()`;

/** Listens to every document that the page shows from now on; the list grows as they are shown. */
export async function watchPaints(page: Page): Promise<readonly Look[]> {
  const seen: Look[] = [];
  await page.exposeFunction("tellLook", (told: string) => {
    seen.push(Look.parse(JSON.parse(told)));
  });
  await page.addInitScript(watcher);
  return seen;
}

/** The name by which the looks of the current document are known. */
export async function documentName(page: Page): Promise<string> {
  return String(await page.evaluate("window.documentName"));
}

/** A computed colour as the screen shows it, `#rrggbb`, whatever colour space it is written in. */
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
