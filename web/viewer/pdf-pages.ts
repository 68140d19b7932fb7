import {
  getDocument,
  GlobalWorkerOptions,
  type PDFDocumentProxy,
  VerbosityLevel,
} from "pdfjs-dist/legacy/build/pdf.mjs";

import { PdfPage } from "./pdf-page.ts";

/** Character maps, standard fonts and decoders, which only some documents need (prerender/viewer.ts). */
const resources = `/assets/pdfjs-${__PDFJS_VERSION__}`;

const sizes = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];
/** CSS pixels of a page at 100 % are at most so many; wider windows have margins. */
const widthMax = 900;

/** The pages of a PDF, below each other; each is drawn when it is about to be seen. */
export class PdfPages {
  readonly #pages: readonly PdfPage[];
  readonly #list: HTMLElement;
  readonly #tools: HTMLElement | null;
  readonly #seen = new Set<number>();
  #size = 1;
  #current = 1;
  /** Receives how many pages were shown so far. */
  onSeen: (pages: number) => void = () => undefined;

  private constructor(list: HTMLElement, pages: readonly PdfPage[]) {
    this.#list = list;
    this.#pages = pages;
    this.#tools = document.querySelector<HTMLElement>(".bar__tools");
  }

  /**
   * Nothing of a document runs: scripts, forms and embedded files are not read, and pdf.js compiles no
   * code of its own (neither `eval` nor WebAssembly).
   * @param worker runs the worker of pdf.js
   * @throws when the file is no PDF that can be shown
   */
  static async open(data: ArrayBuffer, worker: Worker, list: HTMLElement): Promise<PdfPages> {
    GlobalWorkerOptions.workerPort = worker;
    const task = getDocument({
      data,
      enableXfa: false,
      useWasm: false,
      // By the page, so that the worker, which reads the document, can connect to nothing.
      useWorkerFetch: false,
      verbosity: VerbosityLevel.ERRORS,
      wasmUrl: `${resources}/wasm/`,
      cMapUrl: `${resources}/cmaps/`,
      cMapPacked: true,
      standardFontDataUrl: `${resources}/standard_fonts/`,
      useSystemFonts: false,
    });
    const document = await task.promise;
    return new PdfPages(list, await framesOf(document, list.dataset["page"] ?? ""));
  }

  get total(): number {
    return this.#pages.length;
  }

  async start(): Promise<void> {
    this.#list.append(...this.#pages.map(({ frame }) => frame));
    this.#layOut();
    this.#watch();
    if (this.#tools !== null) this.#enable(this.#tools);
    await this.#pages[0]?.draw();
  }

  /** What is near the window is drawn, what is far from it gives its memory back. */
  #watch(): void {
    const near = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const page = this.#pages.find(({ frame }) => frame === target);
          if (isIntersecting) void page?.draw();
          else page?.clear();
        }
      },
      { rootMargin: "150% 0px" },
    );
    const half = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) this.#see(this.#pages.findIndex(({ frame }) => frame === target) + 1);
        }
      },
      // The line through the middle of the window.
      { rootMargin: "-50% 0px" },
    );
    for (const { frame } of this.#pages) {
      near.observe(frame);
      half.observe(frame);
    }
    let width = this.#list.clientWidth;
    new ResizeObserver(() => {
      if (this.#list.clientWidth === width) return;
      width = this.#list.clientWidth;
      this.#layOut();
    }).observe(this.#list);
  }

  #see(number: number): void {
    this.#current = number;
    this.#seen.add(number);
    this.onSeen(this.#seen.size);
    this.#state();
  }

  #layOut(): void {
    const { paddingInlineStart } = getComputedStyle(this.#list);
    const available = this.#list.clientWidth - 2 * Number.parseFloat(paddingInlineStart);
    const width = Math.min(available, widthMax) * this.#size;
    for (const page of this.#pages) page.setWidth(width);
    this.#state();
  }

  #enable(tools: HTMLElement): void {
    tools.hidden = false;
    tools.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      const act = button?.dataset["act"];
      const at = sizes.indexOf(this.#size);
      if (act === "smaller") this.#resize(sizes[at - 1]);
      if (act === "larger") this.#resize(sizes[at + 1]);
      if (act === "fit") this.#resize(1);
      if (act === "previous") this.#goTo(this.#current - 1);
      if (act === "next") this.#goTo(this.#current + 1);
    });
    this.#state();
  }

  #resize(size: number | undefined): void {
    if (size === undefined) return;
    this.#size = size;
    const current = this.#current;
    this.#layOut();
    this.#goTo(current);
  }

  #goTo(number: number): void {
    this.#pages[number - 1]?.frame.scrollIntoView({ block: "start" });
  }

  #state(): void {
    const tools = this.#tools;
    const place = tools?.querySelector("[data-place]");
    const size = tools?.querySelector("[data-size]");
    if (!tools || !place || !size) return;
    const text = this.#list.dataset["pageOf"] ?? "";
    place.textContent = text
      .replace("{page}", String(this.#current))
      .replace("{total}", String(this.total));
    size.textContent = `${Math.round(this.#size * 100)}%`;
    const disable = (act: string, isDisabled: boolean): void => {
      tools.querySelector(`[data-act="${act}"]`)?.setAttribute("aria-disabled", String(isDisabled));
    };
    disable("previous", this.#current <= 1);
    disable("next", this.#current >= this.total);
    disable("smaller", this.#size === sizes[0]);
    disable("larger", this.#size === sizes.at(-1));
  }
}

/** Empty frames in the size of their pages, so that nothing moves when they are drawn. */
async function framesOf(document: PDFDocumentProxy, label: string): Promise<PdfPage[]> {
  const numbers = Array.from({ length: document.numPages }, (_, index) => index + 1);
  const first = await document.getPage(1);
  const { width, height } = first.getViewport({ scale: 1 });
  return numbers.map(
    (number) =>
      new PdfPage(document, number, label.replace("{page}", String(number)), height / width),
  );
}
