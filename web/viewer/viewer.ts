import { reportViewing } from "./report-viewing.ts";

import "./viewer.css";

/**
 * The script of the pages behind share links: reports what was seen, and draws a PDF. The page is
 * written by the collector (services/collector/links), which names in `data-` what is needed here.
 */
const main = document.querySelector<HTMLElement>("main[data-viewing]");
if (main !== null) {
  const { viewing = "", pdf } = main.dataset;
  const reports = reportViewing(viewing);
  if (pdf !== undefined) void showPdf(main, pdf, reports);
}

async function showPdf(
  pages: HTMLElement,
  address: string,
  reports: ReturnType<typeof reportViewing>,
): Promise<void> {
  const state = pages.querySelector<HTMLElement>("[data-state]");
  try {
    // Loaded only where a PDF is shown: it is far larger than everything else.
    const { PdfPages } = await import("./pdf-pages.ts");
    const shown = await PdfPages.open(address, pages);
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
