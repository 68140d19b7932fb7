import { z } from "zod";

import { laws } from "./retention-laws.ts";

/** A text for people, in both languages of the site. */
const Localized = z.strictObject({ en: z.string().min(1), he: z.string().min(1) }).readonly();

/**
 * What a field says about people. `none`: nothing. `reference`: leads to a person only by something
 * that is kept elsewhere. `personal`: describes a person. `sealed`: the same, encrypted under a key
 * that can be destroyed.
 */
export const DataClass = z.enum(["none", "reference", "personal", "sealed"]);
export type DataClass = z.infer<typeof DataClass>;

export const DataStore = z.enum([
  "postgres",
  "clickhouse",
  "spool",
  "queue",
  "files",
  "mail",
  "export",
  "backup",
  "log",
]);
export type DataStore = z.infer<typeof DataStore>;

/** Why personal data is processed, its subjects and its recipients: GDPR, article 30 (1) (b) to (d). */
export const Activity = z.strictObject({
  id: z.string().regex(/^[a-z]+(?:-[a-z]+)*$/u),
  name: Localized,
  purpose: Localized,
  /** GDPR, article 6 (1) (a), (b), (c) and (f). */
  basis: z.enum(["consent", "contract", "legal-obligation", "legitimate-interest"]),
  subjects: z
    .array(
      z.enum([
        "visitors",
        "account-holders",
        "link-visitors",
        "correspondents",
        "subscribers",
        "staff",
      ]),
    )
    .min(1)
    .readonly(),
  recipients: z
    .array(z.enum(["mail-provider", "payment-provider", "tax-authority", "link-owner", "public"]))
    .readonly(),
});
export type Activity = z.infer<typeof Activity>;

/** What a retention counts from. */
const Clock = z.enum([
  "recorded",
  "last-used",
  "ended",
  "delivered",
  "settled",
  "replaced",
  "shipped",
  "account-deleted",
  "person-erased",
  "holder-removes",
  "document-issued",
  "platform-closed",
]);

/**
 * The code that does something: a function, or one of the database by its name. The check looks for the
 * latter in the migrated database, the compiler for the former.
 */
const Code = z.union([
  z.custom<(...args: never[]) => unknown>((value) => typeof value === "function"),
  z.strictObject({ sql: z.string().regex(/^[a-z]+\.[a-z_]+$/u) }),
]);
export type Code = z.infer<typeof Code>;

/** A length of time, counted by the calendar. */
export const Period = z.strictObject({
  count: z.int().positive(),
  unit: z.enum(["hour", "day", "month", "year"]),
});
export type Period = z.infer<typeof Period>;

/** What ends the retention. The check looks for each in the code or in the migrated databases. */
export const Enforcement = z.discriminatedUnion("by", [
  /** Work that a process repeats, by its name: it deletes what has reached its time. */
  z.strictObject({ by: z.literal("job"), job: z.string().regex(/^[a-z]+(?:[.-][a-z]+)+$/u) }),
  /** A timer of the ledger, by its name. */
  z.strictObject({ by: z.literal("timer"), timer: z.string().regex(/^[a-z-]+\.[a-z-]+$/u) }),
  /** The rule of the table in ClickHouse. */
  z.strictObject({ by: z.literal("ttl") }),
  /** The queue removes its jobs by their age. */
  z.strictObject({ by: z.literal("queue") }),
  /** The row follows from events, and this one removes it. */
  z.strictObject({ by: z.literal("event"), type: z.string() }),
  /** The foreign key deletes it with the row of another table. */
  z.strictObject({ by: z.literal("cascade"), of: z.string() }),
  /** Code that deletes it when what the clock names happens. */
  z.strictObject({ by: z.literal("code"), code: Code }),
  /** The configuration of a program beside ours, by its file in the repository. */
  z.strictObject({ by: z.literal("configuration"), file: z.string() }),
  z.strictObject({ by: z.literal("not-stored") }),
  /** It says nothing about any person. */
  z.strictObject({ by: z.literal("no-person") }),
  /**
   * A part of the chain of decisions, or derived from it, which stays as a whole: it names people by ids
   * alone, and these lead to no one once what they refer to is erased.
   */
  z.strictObject({ by: z.literal("ledger") }),
]);
export type Enforcement = z.infer<typeof Enforcement>;

/** Until something happens, or some time after it; and what ends it. */
export const Retention = z.strictObject({
  clock: Clock,
  after: Period.optional(),
  enforcedBy: Enforcement,
});
export type Retention = z.infer<typeof Retention>;

export const Eraser = z.discriminatedUnion("by", [
  /** Destroys the key, without which the sealed fields are noise and the references lead nowhere. */
  z.strictObject({ by: z.literal("key"), code: Code }),
  /** Deletes the data of one person. */
  z.strictObject({ by: z.literal("rows"), code: Code }),
  /** The row follows from events, and this one removes it; the ledger knows it as one that erases. */
  z.strictObject({ by: z.literal("event"), type: z.string() }),
  /** Deletes what has reached its retention. */
  z.strictObject({
    by: z.literal("expiry"),
    code: Code,
    /** How long ids of an erased person are needed there still. */
    ids: z.strictObject({ count: z.int().positive(), unit: z.enum(["hour", "day"]) }).optional(),
  }),
  /** The foreign key deletes it with the row of another table. */
  z.strictObject({ by: z.literal("cascade"), of: z.string() }),
  /** The references lead to no one once what they refer to, in another asset, is erased. */
  z.strictObject({ by: z.literal("unlinked"), from: z.string() }),
  /** Kept as long as a law demands; the code deletes it then. */
  z.strictObject({
    by: z.literal("law"),
    law: z.enum(laws),
    code: Code.optional(),
  }),
  /**
   * A keyed hash, kept to honour a refusal of the person, which erasing it would undo (GDPR, article 21
   * (3)); the code deletes it when the person takes the refusal back.
   */
  z.strictObject({ by: z.literal("refusal"), code: Code }),
  /** Nothing is stored: it leaves the product at once. */
  z.strictObject({ by: z.literal("not-stored") }),
]);
export type Eraser = z.infer<typeof Eraser>;

export const Exporter = z.discriminatedUnion("by", [
  z.strictObject({
    by: z.literal("code"),
    code: Code,
    /**
     * Who may have written the texts that it exports. `others`: a copy is reviewed for passages about other
     * people before it is handed out. Absent: `person`, or no texts at all.
     */
    textsBy: z.enum(["person", "others"]).optional(),
  }),
  /** Why no copy contains it. */
  z.strictObject({ by: z.literal("references-only") }),
  z.strictObject({ by: z.literal("secret") }),
  z.strictObject({ by: z.literal("copy-of"), asset: z.string() }),
  z.strictObject({ by: z.literal("not-stored") }),
]);
export type Exporter = z.infer<typeof Exporter>;

export const Scanner = z.discriminatedUnion("by", [
  z.strictObject({ by: z.literal("code"), code: Code }),
  /** Encrypted, and so not searched: the code finds that no key is left that opens it. */
  z.strictObject({ by: z.literal("keys-gone"), code: Code }),
  /** Holds ids and nothing else, for this very purpose. */
  z.strictObject({ by: z.literal("references-only") }),
  /** Gone before a scan could run. */
  z.strictObject({ by: z.literal("not-stored") }),
]);
export type Scanner = z.infer<typeof Scanner>;

/**
 * A table, a kind of file, mail, job or export that says something about people. What handles it and
 * does not exist yet is left out; the check of the data map lists it, and the list may only shrink.
 */
const Asset = z.strictObject({
  /**
   * Classes of fields. Of tables, the spool and logs: only those that differ from what the class in
   * the field's comment stands for.
   */
  fields: z.record(z.string(), DataClass).default({}),
  retention: Retention,
  eraser: Eraser.optional(),
  exporter: Exporter.optional(),
  scanner: Scanner.optional(),
});
export type Asset = z.infer<typeof Asset>;

/** One activity and what it stores, by store and name. */
export const DataMap = z.strictObject({
  activity: Activity,
  assets: z.partialRecord(DataStore, z.record(z.string(), Asset)),
});
export type DataMap = z.infer<typeof DataMap>;

/** Declares what a part of the product stores of people. @throws ZodError when it is not complete */
export const defineDataMap = (map: z.input<typeof DataMap>): DataMap => DataMap.parse(map);

/** Ids that stay for a reason that the eraser names, or for hours. */
const keepsIds = ({ eraser, retention }: Asset): boolean =>
  ["key", "unlinked", "law", "refusal"].includes(eraser?.by ?? "") ||
  (eraser?.by === "expiry" && (eraser.ids ?? retention.after)?.unit === "hour");

/**
 * The tables of Postgres in which an id of an erased person may be found. In all others, and words
 * anywhere, it says that something was not erased.
 */
export const tablesWithIds = (maps: readonly DataMap[]): ReadonlySet<string> =>
  new Set(
    maps.flatMap(({ assets: { postgres = {} } }) =>
      Object.entries(postgres).flatMap(([name, asset]) => (keepsIds(asset) ? [name] : [])),
    ),
  );

/** Code that exports texts which others than the person may have written. */
export const exportsOthersTexts = (maps: readonly DataMap[]): ReadonlySet<Code> =>
  new Set(
    maps.flatMap(({ assets }) =>
      Object.values(assets).flatMap((own) =>
        Object.values(own).flatMap(({ exporter }) =>
          exporter?.by === "code" && exporter.textsBy === "others" ? [exporter.code] : [],
        ),
      ),
    ),
  );

/** Scanners of stores that are searched as a whole, for their assets that state none of their own. */
export const scannedBy = (
  maps: readonly DataMap[],
  scanners: Readonly<Partial<Record<DataStore, Code>>>,
): DataMap[] =>
  maps.map(({ activity, assets }) => {
    const scanned = Object.entries(assets).map(([store, own]) => {
      const code = scanners[DataStore.parse(store)];
      const scanner = code && ({ by: "code", code } as const);
      const named = Object.entries(own).map(([name, asset]) => [
        name,
        asset.scanner === undefined && scanner ? { ...asset, scanner } : asset,
      ]);
      return [store, Object.fromEntries(named)] as const;
    });
    return defineDataMap({ activity, assets: Object.fromEntries(scanned) });
  });
