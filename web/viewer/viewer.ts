// Readers have browsers of all ages: the other build of pdf.js needs what only the newest have.
// oxlint-disable-next-line import/default -- Vite makes a module of the file's address
import workerAddress from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";

import { reportViewing } from "./report-viewing.ts";

import "./viewer.css";

/**
 * The script of the pages behind share links: reports what was seen, and draws a PDF. The page is
 * written by the collector (services/collector/links), which names in `data-` what is needed here.
 */
const main = document.querySelector<HTMLElement>("[data-viewing]");
if (main !== null) {
  const { viewing = "", pdf } = main.dataset;
  const reports = reportViewing(viewing);
  if (pdf === undefined) watchSections(reports);
  else void showPdf(main, pdf, reports);
}

/** Counts the sections of a portfolio that were on the screen. */
function watchSections(reports: ReturnType<typeof reportViewing>): void {
  const sections = document.querySelectorAll(".section");
  const seen = new Set<Element>();
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) seen.add(target);
    reports.pagesSeen(seen.size, sections.length);
  });
  for (const section of sections) observer.observe(section);
}

async function showPdf(
  pages: HTMLElement,
  address: string,
  reports: ReturnType<typeof reportViewing>,
): Promise<void> {
  const state = pages.querySelector<HTMLElement>("[data-state]");
  try {
    // All three at once, and only where a PDF is shown: they are far larger than everything else.
    const worker = new Worker(workerAddress, { type: "module" });
    const loading = [fetchFile(address), import("./pdf-pages.ts")] as const;
    const [content, { PdfPages }] = await Promise.all(loading);
    const shown = await PdfPages.open(content, worker, pages);
    shown.onSeen = (seen) => reports.pagesSeen(seen, shown.total);
    state?.remove();
    await shown.start();
  } catch (error) {
    if (state === null) throw error;
    state.textContent = pages.dataset["failed"] ?? "";
    state.classList.add("pages__state--failed");
    pages.prepend(state);
  }
}

async function fetchFile(address: string): Promise<ArrayBuffer> {
  const answer = await fetch(address);
  if (!answer.ok) throw new TypeError(`The file is answered with ${answer.status}`);
  return await answer.arrayBuffer();
}
