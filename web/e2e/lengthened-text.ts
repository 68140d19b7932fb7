import type { Page } from "playwright-core";

/** Allowed length of a translation, relative to the text of the design. */
const growth = 1.4;

/**
 * Lengthens every text of the page by two fifths: repeats words with accents, between ⟦ and ⟧, so
 * that they wrap like text. Addresses and figures keep their length, as in any language.
 */
export function lengthenTexts(page: Page): Promise<void> {
  return page.evaluate((factor) => {
    const accents: Record<string, string> = { a: "á", e: "ë", i: "ï", o: "ö", u: "ü", n: "ñ" };
    const accented = (text: string): string =>
      text.replaceAll(/[aeioun]/g, (plain) => accents[plain] ?? plain);
    const longer = (text: string): string => {
      const words = text.trim().split(/\s+/);
      let added = "";
      for (let index = 0; added.length < text.trim().length * (factor - 1); index++) {
        added += ` ${words[index % words.length]?.slice(0, 12) ?? ""}`;
      }
      return `⟦${accented(text.trim())}${accented(added.slice(0, -2))}⟧`;
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const nodes: Text[] = [];
    while (walker.nextNode())
      if (walker.currentNode instanceof Text) nodes.push(walker.currentNode);
    for (const node of nodes) {
      const isText =
        /\p{L}{2}/u.test(node.data) && node.parentElement?.closest("script, :not(html)[dir=ltr]");
      if (isText === null) node.data = longer(node.data);
    }
  }, growth);
}

/** Controls and cells that cut off their text. */
export function clippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("a, button, label, legend, summary, th, td, h1, h2, h3, option")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => element.closest(".visually-hidden, .skip-links") === null)
      .filter((element) => {
        const { overflowX, overflowY } = getComputedStyle(element);
        const cut = [overflowX, overflowY].some((value) => value === "hidden" || value === "clip");
        const wide = element.scrollWidth > element.clientWidth + 1;
        const tall = element.scrollHeight > element.clientHeight + 1;
        return cut && element.clientWidth > 1 && (wide || tall);
      })
      .map((element) => `clipped: ${element.outerHTML.slice(0, 120)}`),
  );
}

/** Texts that overflow their control. */
export function spilledTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("button, a[class], select")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => element.closest(".visually-hidden, .skip-links") === null)
      .filter((element) => getComputedStyle(element).display !== "inline")
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
      .map((element) => `text sticks out of: ${element.outerHTML.slice(0, 120)}`),
  );
}
