import { Readable } from "node:stream";

import { HeldSection, itemsIn } from "@pro-talent/schemas/privacy/held-data";
import { privacyOfficerCalls } from "@pro-talent/schemas/privacy/officer-calls";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import type { HeldSource } from "../../../held.ts";
import { openPrivacy, requestIn } from "../testing/open-privacy.ts";
import { readPackage } from "./access-package.ts";

/** That a copy holds everything: each item that was counted, and each file. */

/** Together more than is ever held in memory of a package. */
const bigFile = Buffer.alloc(1024 * 1024, "x");
const manyFiles = 34;
const collectors = new Set<string>();
const opens: HeldSource = {
  section: "opens",
  collect: async () => [
    [
      { field: "label", text: "Acme" },
      { field: "opens", count: 3 },
    ],
  ],
  tables: () => [
    {
      path: "opens/opens.jsonl",
      content: (async function* lines() {
        for (const line of ["{}\n{}\n", "{}\n"]) yield Buffer.from(line);
      })(),
    },
  ],
  files: async function* files(_context, _store, { accountId }) {
    for (let made = 0; collectors.has(accountId) && made < manyFiles; made += 1)
      yield { name: `scan ${made}.pdf`, content: bigFile };
  },
};

let privacy: Awaited<ReturnType<typeof openPrivacy>>;
beforeAll(async () => {
  privacy = await openPrivacy({ held: [opens] });
});
afterAll(() => privacy.close());

type Person = ReturnType<typeof privacy.person>;

async function asked(dana: Person) {
  const { requestId } = requestIn(await dana.send("POST", "/access", {}));
  const officer = privacy.officer();
  await officer.decide(requestId, "claim");
  return { requestId, officer };
}

it("is never silently incomplete: many files are stored in parts, and all are there", async () => {
  const dana = privacy.person();
  collectors.add(dana.accountId);
  const { requestId: id, officer } = await asked(dana);
  await officer.decide(id, "approve");
  await privacy.work(id);
  const names: string[] = [];
  for await (const { name } of privacy.files.list("packages")) names.push(name);
  expect(names.filter((name) => name.includes(id)).length).toBe(5);
  const content = await readPackage(privacy.ledger, privacy.files, id);
  let [bytes, tail] = [0, ""];
  for await (const part of content instanceof Readable ? content : []) {
    const piece = z.instanceof(Buffer).parse(part);
    bytes += piece.length;
    tail = (tail + piece.toString("latin1")).slice(-200_000);
  }
  expect(bytes).toBeGreaterThan(manyFiles * bigFile.length);
  const named = tail.match(/"path":"files\/[^"]+ scan \d+\.pdf","bytes":1048576/gu);
  expect(named).toHaveLength(manyFiles);
  const { steps } = await officer.read(id);
  expect(steps).toContainEqual({
    step: "files",
    state: "done",
    attempts: 0,
    found: manyFiles,
  });
});

it("holds as many items of each section as the officer's preview counts", async () => {
  const dana = privacy.person();
  const { requestId, officer } = await asked(dana);
  const path = `/api/console/privacy/requests/${requestId}/preview`;
  const preview = privacyOfficerCalls[
    "GET /api/console/privacy/requests/:requestId/preview"
  ].answer.parse((await officer.call("GET", path)).json());
  await officer.decide(requestId, "approve");
  await privacy.work(requestId);
  const parts = unzipSync((await dana.send("GET", `/${requestId}/package`)).rawPayload);
  const { sections } = z
    .object({ sections: z.array(HeldSection) })
    .parse(JSON.parse(strFromU8(parts["data.json"] ?? new Uint8Array())));
  const held = sections.map((section) => ({ store: section.section, items: itemsIn(section) }));
  expect(preview).toEqual({ stores: held, missing: [], recipients: [] });
  const listed = strFromU8(parts["opens/opens.jsonl"] ?? new Uint8Array())
    .trim()
    .split("\n");
  expect(held).toContainEqual({ store: "opens", items: listed.length });
  const { steps } = await officer.read(requestId);
  for (const { store, items } of held)
    expect(steps).toContainEqual({ step: store, state: "done", attempts: 0, found: items });
});
