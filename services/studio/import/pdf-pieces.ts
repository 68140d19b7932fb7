import { cleanRun } from "@pro-talent/schemas/studio/text";
import { getDocument, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { z } from "zod";

import type { Piece } from "./reading-order.ts";

/** A paragraph, heading, cell or list item of a tagged PDF. */
export type PageBlock = {
  readonly number: number;
  /** Of a heading, from 1; 0 for others. */
  readonly level: number;
  readonly isBullet: boolean;
};
export type PagePiece = Piece & {
  /** Undefined where the file has no tags. */
  readonly block: PageBlock | undefined;
  /** The sign of a list. */
  readonly isLabel: boolean;
};
export type PdfPage = { readonly pieces: readonly PagePiece[]; readonly width: number };

const pagesMax = 30;
/** Of one page. A page full of the smallest text has a tenth of it. */
const piecesMax = 20_000;

/**
 * The texts of a PDF with their places and, in a tagged one, what they belong to.
 * @throws when it is no PDF, or one with a password
 */
export async function pagesOfPdf(content: Uint8Array): Promise<{ pages: PdfPage[]; isCut: boolean }> {
  const task = getDocument({
    data: new Uint8Array(content),
    verbosity: 0,
    useSystemFonts: false,
    disableFontFace: true,
    fontExtraProperties: true,
    // No picture is decoded.
    maxImageSize: 1,
    stopAtErrors: false,
  });
  const document = await task.promise;
  const pages: PdfPage[] = [];
  const count = Math.min(document.numPages, pagesMax);
  for (let number = 1; number <= count; number += 1) pages.push(await pageOf(await document.getPage(number)));
  await task.destroy();
  return { pages, isCut: document.numPages > pagesMax };
}

const Text = z.object({
  str: z.string(),
  transform: z.array(z.number()),
  width: z.number(),
  fontName: z.string(),
});
const Mark = z.object({ type: z.string(), id: z.string().nullish() });
const Face = z.object({ name: z.string().optional() });

async function pageOf(page: PDFPageProxy): Promise<PdfPage> {
  const content = await page.getTextContent({ includeMarkedContent: true });
  // Typefaces have their names once what is drawn was read.
  await page.getOperatorList();
  const blocks = blocksOf(await page.getStructTree());
  const links = await linksOf(page);
  const pieces: PagePiece[] = [];
  const open: (string | undefined)[] = [];
  for (const item of content.items.slice(0, piecesMax)) {
    const mark = Mark.safeParse(item);
    if (mark.success) {
      if (mark.data.type === "endMarkedContent") open.pop();
      else open.push(mark.data.id ?? undefined);
      continue;
    }
    const { str, transform, width, fontName } = Text.parse(item);
    const [scaleX = 0, turned = 0, , scaleY = 0, x = 0, y = 0] = transform;
    // Text that is turned stands in a margin.
    if (str.trim() === "" || Math.abs(turned) > 0.01 || scaleX <= 0) continue;
    const id = open.findLast((one) => one !== undefined);
    const tagged = id === undefined ? undefined : blocks.get(id);
    const link = links.find((one) => contains(one.rect, x + width / 2, y + scaleY / 3))?.url ?? null;
    const size = Math.abs(scaleY);
    const place = { x, y, width, size, link };
    pieces.push({
      text: cleanRun(str),
      ...place,
      ...lookOf(page, fontName),
      block: tagged?.block,
      isLabel: tagged?.isLabel ?? false,
    });
  }
  return { pieces, width: page.getViewport({ scale: 1 }).width };
}

function lookOf(page: PDFPageProxy, fontName: string): { bold: boolean; italic: boolean } {
  const face: unknown = page.commonObjs.has(fontName) ? page.commonObjs.get(fontName) : undefined;
  const name = Face.safeParse(face).data?.name ?? "";
  // Half-bold is emphasis of another kind, or the weight of a whole page.
  return { bold: /(?<!semi|demi|half)-?(?:bold|black|heavy)/i.test(name), italic: /italic|oblique/i.test(name) };
}

type Link = { readonly rect: readonly number[]; readonly url: string };
const Annotation = z.object({ subtype: z.literal("Link"), url: z.string(), rect: z.array(z.number()) });

async function linksOf(page: PDFPageProxy): Promise<Link[]> {
  const annotations: readonly unknown[] = await page.getAnnotations();
  return annotations.flatMap((annotation) => {
    const link = Annotation.safeParse(annotation);
    return link.success ? [{ rect: link.data.rect, url: link.data.url }] : [];
  });
}

function contains([left = 0, bottom = 0, right = 0, top = 0]: readonly number[], x: number, y: number): boolean {
  return x >= left && x <= right && y >= bottom && y <= top;
}

type Tagged = { readonly block: PageBlock; readonly isLabel: boolean };
const Node = z.looseObject({
  role: z.string().optional(),
  type: z.string().optional(),
  id: z.string().optional(),
  children: z.array(z.unknown()).default([]),
});
/** Elements within a line. */
const inline = new Set(["Span", "Link", "Strong", "Em", "Quote", "Code", "Reference", "Annot", "LBody"]);
const depthMax = 100;

/** The blocks of a page by the ids of their texts. */
function blocksOf(root: unknown): Map<string, Tagged> {
  const blocks = new Map<string, Tagged>();
  let count = 0;
  const walk = (value: unknown, block: PageBlock, isLabel: boolean, depth: number): void => {
    const node = Node.safeParse(value).data;
    if (node === undefined || depth > depthMax) return;
    const { role, id, children } = node;
    if (role === undefined) {
      if (id !== undefined) blocks.set(id, { block, isLabel });
      return;
    }
    const level = role === "Title" ? 1 : Number(/^H([1-6])$/.exec(role)?.[1] ?? 0);
    const isBullet = role === "LI";
    const keeps = inline.has(role) || role === "Lbl" || ((block.level > 0 || block.isBullet) && level === 0 && !isBullet);
    const own = keeps ? block : { number: (count += 1), level, isBullet };
    for (const child of children) walk(child, own, isLabel || role === "Lbl", depth + 1);
  };
  walk(root, { number: 0, level: 0, isBullet: false }, false, 0);
  return blocks;
}
