import {
  type PDFDocumentProxy,
  type PDFPageProxy,
  type RenderTask,
  TextLayer,
} from "pdfjs-dist/legacy/build/pdf.mjs";

type Viewport = ReturnType<PDFPageProxy["getViewport"]>;

/** Pixels of one canvas; phones refuse larger ones. */
const pixelsMax = 12_000_000;
/** Where a link of a document may lead. */
const schemes: ReadonlySet<string> = new Set(["https:", "http:", "mailto:"]);

/** One page: a picture, with its text above it to select and to read aloud, and its links. */
export class PdfPage {
  readonly frame: HTMLElement;
  readonly #document: PDFDocumentProxy;
  readonly #number: number;
  #ratio: number;
  #width = 0;
  #drawn = 0;
  #task: RenderTask | undefined;

  /** @param ratio height to width, until the page itself is read */
  constructor(document: PDFDocumentProxy, number: number, label: string, ratio: number) {
    this.#document = document;
    this.#number = number;
    this.#ratio = ratio;
    this.frame = globalThis.document.createElement("section");
    this.frame.className = "sheet";
    this.frame.setAttribute("aria-label", label);
    // Positions within a page count from its left, in every language.
    this.frame.dir = "ltr";
  }

  /** @param width in CSS pixels */
  setWidth(width: number): void {
    this.#width = width;
    this.frame.style.inlineSize = `${width}px`;
    this.frame.style.blockSize = `${width * this.#ratio}px`;
    if (this.#drawn > 0) void this.draw();
  }

  /** Draws the page unless it is there in this size. */
  async draw(): Promise<void> {
    const width = this.#width;
    if (this.#drawn === width) return;
    this.#drawn = width;
    this.#task?.cancel();
    const page = await this.#document.getPage(this.#number);
    if (this.#drawn !== width) return;
    const natural = page.getViewport({ scale: 1 });
    this.#ratio = natural.height / natural.width;
    this.frame.style.blockSize = `${width * this.#ratio}px`;
    const scale = width / natural.width;
    const viewport = page.getViewport({ scale });
    const canvas = await this.#paint(page, viewport);
    if (canvas === undefined || this.#drawn !== width) return;
    const text = globalThis.document.createElement("div");
    text.className = "sheet__text";
    text.style.setProperty("--total-scale-factor", String(scale));
    const links = await linksOf(page, viewport);
    await new TextLayer({
      textContentSource: page.streamTextContent(),
      container: text,
      viewport,
    }).render();
    if (this.#drawn === width) this.frame.replaceChildren(canvas, text, ...links);
  }

  async #paint(page: PDFPageProxy, viewport: Viewport): Promise<HTMLCanvasElement | undefined> {
    const canvas = globalThis.document.createElement("canvas");
    const { width, height } = viewport;
    const density = Math.min(devicePixelRatio, Math.sqrt(pixelsMax / (width * height)));
    canvas.width = Math.floor(width * density);
    canvas.height = Math.floor(height * density);
    canvas.setAttribute("aria-hidden", "true");
    const transform = [density, 0, 0, density, 0, 0];
    const task = page.render({ canvas, viewport, transform });
    this.#task = task;
    try {
      await task.promise;
      return canvas;
    } catch (error) {
      // Another size is drawn in its place.
      if (error instanceof Error && error.name === "RenderingCancelledException") return undefined;
      throw error;
    }
  }

  /** Gives the memory of the picture back. */
  clear(): void {
    if (this.#drawn === 0) return;
    this.#drawn = 0;
    this.#task?.cancel();
    this.frame.replaceChildren();
  }
}

/** The web and mail addresses of a page; no other act of a document does anything. */
async function linksOf(page: PDFPageProxy, viewport: Viewport): Promise<HTMLAnchorElement[]> {
  const annotations: unknown[] = await page.getAnnotations({ intent: "display" });
  return annotations.flatMap((annotation) => {
    if (!isLink(annotation) || !URL.canParse(annotation.url)) return [];
    const url = new URL(annotation.url);
    if (!schemes.has(url.protocol)) return [];
    const [left = 0, bottom = 0, right = 0, top = 0] = annotation.rect;
    const [x1 = 0, y1 = 0] = pointIn(viewport, left, bottom);
    const [x2 = 0, y2 = 0] = pointIn(viewport, right, top);
    const link = document.createElement("a");
    link.className = "sheet__link";
    link.href = url.href;
    link.rel = "noopener noreferrer nofollow";
    link.target = "_blank";
    link.setAttribute("aria-label", url.href);
    link.style.left = `${Math.min(x1, x2)}px`;
    link.style.top = `${Math.min(y1, y2)}px`;
    link.style.width = `${Math.abs(x2 - x1)}px`;
    link.style.height = `${Math.abs(y2 - y1)}px`;
    return [link];
  });
}

const pointIn = (viewport: Viewport, x: number, y: number): number[] =>
  viewport.convertToViewportPoint(x, y).map(Number);

type LinkAnnotation = { readonly url: string; readonly rect: readonly number[] };

const isLink = (annotation: unknown): annotation is LinkAnnotation =>
  typeof annotation === "object" &&
  annotation !== null &&
  "subtype" in annotation &&
  annotation.subtype === "Link" &&
  "url" in annotation &&
  typeof annotation.url === "string" &&
  "rect" in annotation &&
  Array.isArray(annotation.rect);
