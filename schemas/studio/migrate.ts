import { z } from "zod";

import { CvDocument } from "./document.ts";

type Stored = Readonly<Record<string, unknown>> & { readonly version: number };
/** Makes a document of the next version; it states that version itself. */
export type Step = (document: Stored) => Stored;

/** The step at index 0 leads from version 1 to 2, and so on. A step never changes once it is released. */
const steps: readonly Step[] = [];

const Versioned = z.looseObject({ version: z.int().min(1) });

/**
 * A document of the newest version, from one of any earlier version.
 * @throws when it is of a version that is not known yet
 */
export function migrated(document: Stored, known: readonly Step[]): Stored {
  if (document.version > known.length + 1) throw new RangeError("A document of a later version");
  return known.slice(document.version - 1).reduce((stored, step) => step(stored), document);
}

/**
 * Reads a document of any version, from storage or from outside, and cleans its text.
 * @throws {z.ZodError} when it is not a document
 */
export function readCvDocument(value: unknown): CvDocument {
  return CvDocument.parse(migrated(Versioned.parse(value), steps));
}
