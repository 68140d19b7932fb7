import { cleanRun } from "@pro-talent/schemas/studio/clean-text";
import { getDocument, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { z } from "zod";

import { type PageBlock, tagsOf } from "./page-tags.ts";
import type { Piece } from "./reading-order.ts";

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
export async function pagesOfPdf(
  content: Uint8Array,
): Promise<{ pages: PdfPage[]; isCut: boolean }> {
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
  for (let number = 1; number <= count; number += 1)
    pages.push(await pageOf(await document.getPage(number)));
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
  const tags = tagsOf(await page.getStructTree());
  const links = await linksOf(page);
  const pieces: PagePiece[] = [];
  const open: (string | undefined)[] = [];
  for (const item of content.items.slice(0, piecesMax)) {
    const mark = Mark.safeParse(item).data;
    if (mark === undefined) {
      const id = open.findLast((one) => one !== undefined);
      const { block, isLabel = false } = (id === undefined ? undefined : tags.get(id)) ?? {};
      const piece = pieceOf(page, Text.parse(item), links);
      if (piece !== undefined) pieces.push({ ...piece, block, isLabel });
    } else if (mark.type === "endMarkedContent") open.pop();
    else open.push(mark.id ?? undefined);
  }
  return { pieces, width: page.getViewport({ scale: 1 }).width };
}

/** Undefined for spaces, and for text that is turned: it stands in a margin. */
function pieceOf(
  page: PDFPageProxy,
  { str, transform, width, fontName }: z.infer<typeof Text>,
  links: readonly Link[],
): Piece | undefined {
  const [scaleX = 0, turned = 0, , scaleY = 0, x = 0, y = 0] = transform;
  const text = cleanRun(str);
  if (text.trim() === "" || Math.abs(turned) > 0.01 || scaleX <= 0) return undefined;
  const size = Math.abs(scaleY);
  const at = links.find(({ rect }) => contains(rect, x + width / 2, y + size / 3));
  return { text, x, y, width, size, link: at?.url ?? null, ...lookOf(page, fontName) };
}

function lookOf(page: PDFPageProxy, fontName: string): { bold: boolean; italic: boolean } {
  const face: unknown = page.commonObjs.has(fontName) ? page.commonObjs.get(fontName) : undefined;
  const name = Face.safeParse(face).data?.name ?? "";
  // Half-bold is emphasis of another kind, or the weight of a whole page.
  return {
    bold: /(?<!semi|demi|half)-?(?:bold|black|heavy)/i.test(name),
    italic: /italic|oblique/i.test(name),
  };
}

type Link = { readonly rect: readonly number[]; readonly url: string };
const Annotation = z.object({
  subtype: z.literal("Link"),
  url: z.string(),
  rect: z.array(z.number()),
});

async function linksOf(page: PDFPageProxy): Promise<Link[]> {
  const annotations: readonly unknown[] = await page.getAnnotations();
  return annotations.flatMap((annotation) => {
    const link = Annotation.safeParse(annotation);
    return link.success ? [{ rect: link.data.rect, url: link.data.url }] : [];
  });
}

function contains(
  [left = 0, bottom = 0, right = 0, top = 0]: readonly number[],
  x: number,
  y: number,
): boolean {
  return x >= left && x <= right && y >= bottom && y <= top;
}
