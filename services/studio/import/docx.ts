import { cleanRun } from "@pro-talent/schemas/studio/clean-text";
import mammoth from "mammoth";
import { z } from "zod";

import { joinedSpans, type Line, rankOf, type Span, statedParts, textOfPart } from "./lines.ts";
import { packed, type Unpacked } from "./unpack.ts";

const Nested = z.looseObject({
  type: z.string(),
  children: z.array(z.unknown()).default([]),
  value: z.string().optional(),
  href: z.string().nullish(),
  styleId: z.string().nullish(),
  styleName: z.string().nullish(),
  numbering: z.unknown().optional(),
  isBold: z.boolean().default(false),
  isItalic: z.boolean().default(false),
  fontSize: z.number().nullish(),
});
type Nested = z.infer<typeof Nested>;

const main = "word/document.xml";
/** A document within a part that is no document: contact data often stand in the header of the page. */
const headers = /^word\/header\d*\.xml$/;
/** Half of the lines of a CV are of one level of a list or table; no word processor nests deeper than this by itself. */
const depthMax = 60;

/** The lines of a DOCX: its headings, paragraphs, list items and rows of tables. */
export async function linesOfDocx(files: Unpacked): Promise<Line[]> {
  const parts = Object.keys(files)
    .filter((name) => headers.test(name))
    .toSorted();
  const lines: Line[] = [];
  for (const name of parts.slice(0, 3))
    lines.push(...(await linesOfPart(files, asDocument(files[name]))));
  const seen = new Set<string>();
  // Each kind of page has a header of its own, often with the same text.
  const above = lines.filter(({ parts: cells }) => {
    const text = cells.map(textOfPart).join("\t");
    return !seen.has(text) && seen.add(text);
  });
  return [...above, ...(await linesOfPart(files, files[main]))];
}

function asDocument(header: Uint8Array | undefined): Uint8Array {
  const text = Buffer.from(header ?? []).toString("utf8");
  return Buffer.from(
    text
      .replace(/<w:hdr\b/, "<w:document")
      .replace(/(<w:document\b[^>]*[^/])>/, "$1><w:body>")
      .replace(/<\/w:hdr>\s*$/, "</w:body></w:document>"),
  );
}

async function linesOfPart(files: Unpacked, part: Uint8Array | undefined): Promise<Line[]> {
  let root: unknown;
  await mammoth.convertToHtml(
    { buffer: packed({ ...files, [main]: part ?? new Uint8Array() }) },
    {
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: "" })),
      transformDocument: (document: unknown) => {
        root = document;
        return document;
      },
    },
  );
  const blocks = blocksIn(Nested.parse(root), 0);
  const size = usualSize(blocks);
  return blocks.flatMap((block, index) => lineOf(block, index, size));
}

/** A paragraph, or the paragraphs of a row of a table. */
type Block = readonly Nested[];

function blocksIn(nested: Nested, depth: number): Block[] {
  if (depth > depthMax) return [];
  const children = nested.children.map((child) => Nested.parse(child));
  if (nested.type === "paragraph") return [[nested]];
  if (nested.type !== "tableRow") return children.flatMap((child) => blocksIn(child, depth + 1));
  const cells = children.map((cell) => blocksIn(cell, depth + 1)).filter((cell) => cell.length > 0);
  // A row of single lines is one line; a cell of several is a column of the page.
  return cells.every((cell) => cell.length === 1) ? [cells.flat(2)] : cells.flat();
}

const runsIn = (nested: Nested, depth = 0): Nested[] =>
  depth > depthMax
    ? []
    : nested.children
        .map((child) => Nested.parse(child))
        .flatMap((child) => (child.type === "run" ? [child] : runsIn(child, depth + 1)));

/** The size of most characters, in points. */
function usualSize(blocks: readonly Block[]): number {
  const counts = new Map<number, number>();
  for (const run of blocks.flat().flatMap((paragraph) => runsIn(paragraph))) {
    const length = run.children.map((child) => Nested.parse(child).value ?? "").join("").length;
    if (run.fontSize) counts.set(run.fontSize, (counts.get(run.fontSize) ?? 0) + length);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? 0;
}

/** The spans of a paragraph; a tab is a part of its own. */
function spansOf(nested: Nested, depth: number, link: string | null): (Span | "tab")[] {
  if (depth > depthMax) return [];
  return nested.children.flatMap((value): (Span | "tab")[] => {
    const child = Nested.parse(value);
    const look = { bold: nested.isBold, italic: nested.isItalic, link };
    // Some programs write the sign itself for a tab.
    if (child.type === "text")
      return (child.value ?? "")
        .split("\t")
        .map(cleanRun)
        .flatMap((text, index) => (index === 0 ? [{ text, ...look }] : ["tab", { text, ...look }]));
    if (child.type === "break") return [{ text: " ", ...look }];
    if (child.type === "tab") return ["tab"];
    return spansOf(child, depth + 1, child.type === "hyperlink" ? (child.href ?? null) : link);
  });
}

function partsOf(block: Block): Span[][] {
  return block.flatMap((paragraph) => {
    const parts: Span[][] = [[]];
    for (const span of spansOf(paragraph, 0, null)) {
      if (span === "tab") parts.push([]);
      else parts.at(-1)?.push(span);
    }
    return parts.map(joinedSpans);
  });
}

/** The level of a heading by the name of its style; 0 for other paragraphs. */
function levelOf({ styleName, styleId }: Nested): number {
  const name = `${styleName ?? ""} ${styleId ?? ""}`;
  if (/^title\b/i.test(name)) return 1;
  return Number(/heading\s?(\d)/i.exec(name)?.[1] ?? 0);
}

const typedBullet = /^\s*[•●▪◦‣∙·*–-]\s+/u;

function lineOf(block: Block, index: number, size: number): Line[] {
  const parts = statedParts(partsOf(block));
  const [first] = block;
  if (parts.length === 0 || first === undefined) return [];
  const level = Math.max(...block.map(levelOf));
  const text = textOfPart(parts[0] ?? []);
  const isTyped = typedBullet.test(text);
  const own = Math.max(0, ...runsIn(first).map(({ fontSize }) => fontSize ?? 0));
  const isBullet =
    (first.numbering !== null && first.numbering !== undefined && level === 0) || isTyped;
  const [lead, ...others] = parts[0] ?? [];
  const cleaned =
    isTyped && lead !== undefined
      ? [{ ...lead, text: lead.text.replace(typedBullet, "") }, ...others]
      : (parts[0] ?? []);
  return [
    {
      parts: [cleaned, ...parts.slice(1)],
      isBullet,
      rank:
        level > 0 ? 20 - level : isBullet ? 0 : rankOf(parts, size > 0 && own > 0 ? own / size : 1),
      isApart: false,
      path: `paragraph ${index + 1}`,
    },
  ];
}
