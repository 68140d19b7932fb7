/** Under which name pages are counted once too many different ones were seen. */
export const otherPages = ":other";

/**
 * Bounds how many different pages are counted per day, so that made-up paths cannot blow up the
 * counters. Each instance has its own budget.
 */
export function createPageBudget(pagesMax: number): (day: string, page: string) => string {
  let current = "";
  let pages = new Set<string>();
  return (day, page) => {
    if (day !== current) {
      current = day;
      pages = new Set();
    }
    if (pages.has(page)) return page;
    if (pages.size >= pagesMax) return otherPages;
    pages.add(page);
    return page;
  };
}
