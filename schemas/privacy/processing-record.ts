import { z } from "zod";

import type { AccountAccess } from "../primitives/access.ts";
import { defineCalls } from "../primitives/calls.ts";
import {
  Activity,
  DataClass,
  DataStore,
  Enforcement,
  Eraser,
  Exporter,
  Retention,
  Scanner,
} from "../primitives/data-map.ts";

/** How one kind of handling is done, and by which code. */
const handledBy = <Way extends string>(ways: readonly Way[]) =>
  z.object({ by: z.enum(ways), detail: z.string().nullable() });

const waysOf = <Way extends string>(
  union: readonly { readonly shape: { readonly by: z.ZodLiteral<Way> } }[],
): readonly Way[] => union.flatMap(({ shape }) => [...shape.by.values]);

/** A table, a kind of file, mail, job or export, with its fields that say something about people. */
const RecordedAsset = z.object({
  store: DataStore,
  name: z.string(),
  fields: z.array(z.object({ name: z.string(), class: DataClass.exclude(["none"]) })),
  retention: Retention.extend({ enforcedBy: handledBy(waysOf(Enforcement.options)) }),
  /** `detail`: the code, event or law. Null when nothing does it yet. */
  eraser: handledBy(waysOf(Eraser.options)).nullable(),
  exporter: handledBy(waysOf(Exporter.options)).nullable(),
  scanner: handledBy(waysOf(Scanner.options)).nullable(),
});
export type RecordedAsset = z.infer<typeof RecordedAsset>;

/**
 * The record of processing activities (GDPR, article 30; Protection of Privacy Regulations (Data
 * Security), Israel, 2017, regulation 2), made from the data maps of all parts.
 */
export const ProcessingRecord = z.object({
  activities: z.array(Activity.extend({ assets: z.array(RecordedAsset) })),
});
export type ProcessingRecord = z.infer<typeof ProcessingRecord>;

const officer = { roles: ["officer"] } as const satisfies AccountAccess;

/** For privacy officers. */
export const processingRecordCalls = defineCalls({
  "GET /api/privacy/officer/processing-record": {
    summary: "The record of processing activities of this release, in both languages",
    access: officer,
    answer: ProcessingRecord,
  },
});
