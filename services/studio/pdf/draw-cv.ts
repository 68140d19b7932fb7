import { readFileSync } from "node:fs";

import { openDocumentDrawer } from "@pro-talent/platform/documents/draw-documents";
import type { CvDocument } from "@pro-talent/schemas/studio/document";
import { type Page, templates } from "@pro-talent/schemas/studio/page";

import { charactersWithoutGlyph, faceFiles, familiesOf } from "../faces.ts";
import { outlineOf } from "../outline.ts";
import { drawingOf } from "./drawing-of.ts";
import { textForPages } from "./text-for-pages.ts";

/** A picture that stands in a CV: JPEG, PNG or WebP. */
export type Photo = { readonly bytes: Uint8Array; readonly kind: "jpg" | "png" | "webp" };

const read = (name: string): string =>
  readFileSync(`${import.meta.dirname}/templates/${name}.typ`, "utf8");
const core = read("core");
const sources = new Map(templates.map((name) => [name, `${core}\n${read(name)}`]));

/** Each has a contrast of at least 5.5 to white, so that it may colour text. */
const accents: Readonly<Record<Page["accent"], string>> = {
  ink: "#2b323b",
  blue: "#1d4f91",
  teal: "#0b5f66",
  green: "#27613a",
  burgundy: "#822433",
  plum: "#633278",
  rust: "#94401b",
};
/** Type size in points, the space between lines, and that between entries in relation to the size. */
const densities: Readonly<Record<Page["density"], { size: number; leading: number; gap: number }>> =
  {
    dense: { size: 9.3, leading: 0.52, gap: 0.82 },
    normal: { size: 10.2, leading: 0.62, gap: 1 },
    airy: { size: 11, leading: 0.74, gap: 1.2 },
  };
/** In millimetres. */
const sizes = { a4: { width: 210, height: 297 }, us: { width: 215.9, height: 279.4 } } as const;
const titles = { en: "CV", he: "קורות חיים" } as const;

function pageData(document: CvDocument, photo: Photo | undefined) {
  const { page, language, profile } = document;
  const outline = outlineOf(document);
  const title = titles[language];
  return {
    outline: textForPages(outline, charactersWithoutGlyph(outline, page.fonts)),
    title: outline.name === "" ? title : `${profile.fullName} – ${title}`,
    look: {
      ...sizes[page.size],
      ...densities[page.density],
      size: densities[page.density].size * (page.template === "compact" ? 0.92 : 1),
      accent: accents[page.accent],
      fonts: familiesOf(page.fonts, language),
    },
    photo:
      photo === undefined || !page.showPhoto
        ? null
        : { path: `/photo.${photo.kind}`, alt: profile.photo?.alt || profile.fullName || title },
  };
}

type Details = {
  /** By which an error refers to the CV. */
  readonly name: string;
  readonly photo?: Photo;
};

/**
 * Draws CVs in processes of their own, two unless stated, so that two are drawn at the same time and none stops
 * the service's.
 * A document that takes longer than allowed is ended, and the error names it.
 */
export function openCvDrawer(
  options: { readonly secondsMax?: number; readonly processes?: number } = {},
) {
  const drawer = openDocumentDrawer({ faces: faceFiles(), processes: 2, ...options });
  const work = (document: CvDocument, { name, photo }: Details) => ({
    template: sources.get(document.page.template) ?? core,
    data: pageData(document, photo),
    details: {
      name,
      files: photo === undefined ? {} : { [`/photo.${photo.kind}`]: photo.bytes },
    },
  });
  return {
    /** The same document, picture and time give the same bytes. @param drawnAtMs since 1970 */
    pdf: (document: CvDocument, drawnAtMs: number, of: Details) => {
      const { template, data, details } = work(document, of);
      return drawer.draw(template, data, drawnAtMs, details);
    },
    /** The pages below each other, as the PDF has them. */
    pages: async (document: CvDocument, of: Details) => {
      const { template, data, details } = work(document, of);
      const { svg, pages } = await drawer.drawSvg(template, data, details);
      return { drawing: drawingOf(svg), pages };
    },
    close: drawer.close,
  };
}
export type CvDrawer = ReturnType<typeof openCvDrawer>;
