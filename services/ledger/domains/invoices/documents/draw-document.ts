import { readFileSync } from "node:fs";

import type { DocumentDrawer } from "@pro-talent/platform/documents/draw-documents";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { StoredDocument } from "../invoices.ts";
import { documentView } from "./document-view.ts";

const template = readFileSync(new URL("document.typ", import.meta.url), "utf8");

/** Draws a document as PDF: the same bytes whenever it is drawn, in the language of its issue or another. */
export async function drawDocument(
  drawer: DocumentDrawer,
  stored: StoredDocument,
  language?: Locale,
): Promise<Buffer> {
  const drawnAtMs = Date.parse(`${stored.issued.issuedOn}T00:00:00Z`);
  return (await drawer.draw(template, documentView(stored, language), drawnAtMs)).pdf;
}
