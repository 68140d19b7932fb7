/** An element of rendered HTML. */
export type FoundElement = { attributes: string; inner: string };

/** React escapes `<` and `>` in text, so every match is a tag. */
const tags = /<(\/?)([a-z][a-z0-9]*)([^<>]*?)(\/?)>/gi;
const withoutEnd = new Set(["br", "hr", "img", "input", "link", "meta", "path", "wbr"]);
const inline = new Set(["a", "abbr", "b", "bdi", "em", "i", "mark", "span", "strong"]);
const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** The outermost elements that match `wanted`, in document order. */
export function elementsOf(
  html: string,
  wanted: (tag: string, attributes: string) => boolean,
): FoundElement[] {
  const found: FoundElement[] = [];
  let open: { tag: string; attributes: string; from: number; depth: number } | undefined;
  for (const match of html.matchAll(tags)) {
    const [whole, closing = "", name = "", attributes = "", alone = ""] = match;
    const tag = name.toLowerCase();
    if (alone !== "" || withoutEnd.has(tag)) continue;
    if (open === undefined) {
      if (closing === "" && wanted(tag, attributes)) {
        open = { tag, attributes, from: match.index + whole.length, depth: 1 };
      }
      continue;
    }
    if (tag !== open.tag) continue;
    open.depth += closing === "" ? 1 : -1;
    if (open.depth > 0) continue;
    found.push({ attributes: open.attributes, inner: html.slice(open.from, match.index) });
    open = undefined;
  }
  return found;
}

/** The elements with a class. */
export function elementsOfClass(html: string, className: string): FoundElement[] {
  return elementsOf(html, (_tag, attributes) =>
    (/ class="([^"]*)"/.exec(attributes)?.[1] ?? "").split(" ").includes(className),
  );
}

/** The text content as one line. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(tags, (_tag, _closing, name: string) => (inline.has(name) ? "" : " "))
    .replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();
}
