import { DataMap } from "@pro-talent/schemas/primitives/data-map";
import { locales } from "@pro-talent/schemas/primitives/locale";
import { beforeAll, expect, it } from "vitest";

import { type Found, problemsOf, recordOf, unhandledIn } from "./compare-data-maps.ts";
import { dataMaps, namedInCode, productData } from "./product-data.ts";
import { readStoredColumns, type StoredColumns } from "./stored-columns.ts";
import { unhandled } from "./unhandled.ts";
import { recordDocument } from "./write-record.ts";

let stored: StoredColumns;
let found: readonly Found[];
let handlers: Parameters<typeof problemsOf>[2];

beforeAll(async () => {
  stored = await readStoredColumns();
  found = productData(stored);
  handlers = { ...stored, named: namedInCode() };
});

it("every field, payload, mail, file and export is classified, and declared by the part that owns it", () => {
  expect(problemsOf(found, dataMaps, handlers)).toEqual([]);
});

it("a column, payload or mail that no part declares is reported, and so is a declaration in vain", () => {
  const added: Found[] = [
    { store: "postgres", name: "ledger.diary", fields: { text: "personal", pos: "none" } },
    { store: "postgres", name: "ledger.link", fields: { note: null } },
    { store: "queue", name: "ledger.write-diary", fields: { diaryId: null } },
    { store: "mail", name: "services/ledger/diary-mail.ts", fields: undefined },
  ];
  const without = found.filter(({ name }) => name !== "ledger.link" && name !== "events");
  const problems = problemsOf([...without, ...added], dataMaps, handlers);
  expect(problems).toEqual(
    expect.arrayContaining([
      "postgres ledger.diary: no part declares it",
      "postgres ledger.link.note: no class",
      "postgres ledger.link.created_at: does not exist",
      "queue ledger.write-diary: no part declares it",
      "mail services/ledger/diary-mail.ts: no part declares it",
      "clickhouse events: does not exist",
    ]),
  );
});

it("an eraser or a retention that the databases do not have is reported", () => {
  const bare = {
    routines: new Set<string>(),
    erasureEvents: new Set<string>(),
    cascades: new Set<string>(),
    named: new Set<string>(),
    statements: new Map([["events", "CREATE TABLE events TTL x + toIntervalMonth(24)"]]),
  };
  expect(problemsOf(found, dataMaps, bare)).toEqual(
    expect.arrayContaining([
      "postgres ledger.event: ledger.shred_subject is not in the database",
      "postgres accounts.photo: no foreign key deletes it with accounts.account",
      "postgres ledger.link: LinkErased is not an event that erases",
      "clickhouse events: declared: 25 month; the table's rule: 24 month",
      "postgres accounts.attempt: accounts.forget-ended is nowhere in the code",
      "postgres ledger.contact_inbox: contact.expire-message is nowhere in the code",
      "postgres ledger.link: LinkErased is nowhere in the code",
      "clickhouse link_opens: no rule of a table",
    ]),
  );
});

it("a retention that nothing enforces is no declaration", () => {
  const [map] = dataMaps;
  const asset = { retention: { clock: "recorded", after: { count: 1, unit: "day" } } };
  expect(
    DataMap.safeParse({ ...map, assets: { postgres: { "ledger.diary": asset } } }).success,
  ).toBe(false);
  const kept = DataMap.parse({
    ...map,
    assets: {
      postgres: {
        "ledger.diary": { retention: { ...asset.retention, enforcedBy: { by: "ledger" } } },
        "ledger.note": { retention: { clock: "recorded", enforcedBy: { by: "ledger" } } },
      },
    },
  });
  expect(problemsOf(found, [kept], handlers)).toEqual(
    expect.arrayContaining([
      "postgres ledger.diary: a period is not kept by: ledger",
      "postgres ledger.note: the ledger keeps it, whatever recorded says",
    ]),
  );
});

it("what nothing erases, exports or scans yet is listed, and the list only shrinks", () => {
  expect(unhandledIn(found, dataMaps)).toEqual(unhandled);
});

it("the record of processing activities is the one of this release", async () => {
  const record = recordOf(found, dataMaps);
  await expect(`${JSON.stringify(record, null, 2)}\n`).toMatchFileSnapshot(
    "../../../services/ledger/domains/processing/record.json",
  );
  for (const language of locales)
    await expect(recordDocument(record, language)).toMatchFileSnapshot(
      `../../docs/processing-record.${language}.md`,
    );
});
