import { Parser } from "htmlparser2";

/** What a page says about itself, as it stands there. */
export type PageMetadata = {
  /** The contents of its JSON-LD scripts. */
  readonly scripts: readonly string[];
  /** `og:title` and others, by name; the first of each. */
  readonly meta: ReadonlyMap<string, string>;
  /** Texts of the microdata of a posting. */
  readonly items: ReadonlyMap<Item, string>;
  readonly title: string;
};

const wantedItems = [
  "title",
  "hiringOrganization",
  "hiringOrganization.name",
  "addressLocality",
] as const;
type Item = (typeof wantedItems)[number];
const isWanted = (item: string): item is Item => wantedItems.some((one) => one === item);

/** The parser takes time in proportion to the depth for each element; no page is so deep. */
const depthMax = 400;
const textCharsMax = 2_000;
/** Pages are parsed in parts, so that one that is too deep is left early. */
const partChars = 16 * 1024;

type Element = {
  readonly name: string;
  readonly isJsonLd: boolean;
  /** The property of microdata that its text is of; empty for none. */
  readonly item: string;
};

/** Collects metadata from what the parser reports. */
class Collector {
  readonly scripts: string[] = [];
  readonly meta = new Map<string, string>();
  readonly items = new Map<Item, string>();
  title = "";
  readonly #open: Element[] = [];
  #isPosting = false;
  #isTitled = false;

  get depth(): number {
    return this.#open.length;
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    const { itemprop, itemtype = "", type = "", content = "" } = attributes;
    if (/schema\.org\/JobPosting\b/u.test(itemtype)) this.#isPosting = true;
    const isJsonLd = name === "script" && /^\s*application\/ld\+json\b/iu.test(type);
    if (isJsonLd) this.scripts.push("");
    const around = this.#open.at(-1)?.item ?? "";
    const isCompany = itemprop === "name" && around === "hiringOrganization";
    const item = isCompany ? "hiringOrganization.name" : (itemprop ?? around);
    this.#open.push({ name, isJsonLd, item });
    if (itemprop !== undefined) this.#addItem(item, content);
    if (name === "meta") this.#addMeta(attributes, content);
  }

  ontext(text: string): void {
    const { name = "", isJsonLd = false, item = "" } = this.#open.at(-1) ?? {};
    if (isJsonLd) this.scripts.push((this.scripts.pop() ?? "") + text);
    if (name === "script" || name === "style") return;
    const isPageTitle = name === "title" && !this.#open.some((one) => one.name === "svg");
    if (isPageTitle && !this.#isTitled && this.title.length < textCharsMax) this.title += text;
    this.#addItem(item, text);
  }

  onclosetag(): void {
    if (this.#open.pop()?.name === "title" && this.title !== "") this.#isTitled = true;
  }

  #addMeta(attributes: Readonly<Record<string, string>>, content: string): void {
    const key = (attributes["property"] ?? attributes["name"] ?? "").toLowerCase();
    if (!this.meta.has(key)) this.meta.set(key, content);
  }

  #addItem(item: string, text: string): void {
    if (!this.#isPosting || !isWanted(item)) return;
    const known = this.items.get(item) ?? "";
    if (known.length < textCharsMax) this.items.set(item, known + text);
  }
}

/** Reads metadata from HTML; of what is malformed or too deep, what stands before it. */
export function pageMetadata(html: string): PageMetadata {
  const found = new Collector();
  const parser = new Parser(found);
  for (let at = 0; at < html.length && found.depth <= depthMax; at += partChars)
    parser.write(html.slice(at, at + partChars));
  return found;
}

/** The characters of a text that was written as HTML, without its elements, scripts and styles. */
export function plainOf(html: string): string {
  if (!/[<&]/u.test(html)) return html;
  let text = "";
  let skipped = 0;
  const isSkipped = (name: string): boolean => name === "script" || name === "style";
  const parser = new Parser({
    onopentag: (name) => {
      if (isSkipped(name)) skipped += 1;
    },
    ontext: (part) => {
      if (skipped === 0) text += part;
    },
    onclosetag: (name) => {
      if (isSkipped(name)) skipped -= 1;
    },
  });
  parser.end(html.slice(0, textCharsMax));
  return text;
}
