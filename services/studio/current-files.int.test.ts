import { createLogger } from "@pro-talent/platform/runtime/logger";
import { afterAll, beforeAll, expect, it } from "vitest";

import { keepFiles } from "./current-files.ts";
import type { Delivery } from "./plans.ts";
import { ordinaryCv } from "./testing/corpus.ts";
import {
  dayMs,
  openStudioUnderTest,
  type Studio,
  withProfile,
} from "./testing/studio-under-test.ts";

let studio: Studio;
let plans: Map<string, Delivery>;
let isLedgerAway = false;
const log = createLogger({ service: "test", level: "silent" });
beforeAll(async () => {
  studio = await openStudioUnderTest();
  plans = new Map();
});
afterAll(() => studio.drop());

/** As the worker does, until nothing is due. */
async function keepAll(): Promise<void> {
  const deliveryOf = async (accountId: string) => {
    if (isLedgerAway) throw new Error("The ledger does not answer");
    return plans.get(accountId) ?? "manual";
  };
  while ((await keepFiles({ ...studio.context, deliveryOf, log })) > 0);
}
const keptOf = (cvId: string) =>
  studio.sql<{ format: string; version: number }[]>`
    select format, version from studio.cv_file where cv_id = ${cvId} order by format`;

async function ownerOf(delivery: Delivery) {
  const made = await studio.make({ document: ordinaryCv("en", 1, {}) });
  plans.set(made.accountId, delivery);
  const edit = (fullName: string, basedOn: number) =>
    studio.state(made.accountId, `POST /api/cvs/${made.cvId}/edits`, {
      basedOn,
      document: withProfile(made.cv.document, { fullName }),
    });
  studio.advance(5_000);
  return { ...made, edit };
}

it("of a plan that keeps them, files follow each edit and undo after a pause, and are what is downloaded", async () => {
  const { accountId, cvId, edit } = await ownerOf("automatic");
  await keepAll();
  expect(await keptOf(cvId)).toEqual([
    { format: "docx", version: 1 },
    { format: "pdf", version: 1 },
  ]);
  await edit("Dana", 1);
  const pdf = `GET /api/cvs/${cvId}/files/pdf`;
  const made = await studio.call(accountId, pdf);
  studio.advance(4_000);
  await keepAll();
  expect((await keptOf(cvId)).map(({ version }) => version)).toEqual([1, 1]);
  studio.advance(1_000);
  await keepAll();
  expect((await keptOf(cvId)).map(({ version }) => version)).toEqual([2, 2]);
  const kept = await studio.call(accountId, pdf);
  expect(kept.rawPayload.equals(made.rawPayload)).toBe(true);
  await studio.call(accountId, `POST /api/cvs/${cvId}/undo`);
  studio.advance(5_000);
  await keepAll();
  expect((await keptOf(cvId)).map(({ version }) => version)).toEqual([1, 1]);
});

it("of other plans none are kept, and those that were kept are deleted within a day of the plan's end", async () => {
  const free = await ownerOf("manual");
  const { accountId, cvId } = await ownerOf("automatic");
  await keepAll();
  expect([await keptOf(free.cvId), (await keptOf(cvId)).length]).toEqual([[], 2]);
  plans.set(accountId, "manual");
  studio.advance(dayMs);
  await keepAll();
  expect(await keptOf(cvId)).toEqual([]);
  plans.set(accountId, "automatic");
  studio.advance(dayMs);
  await keepAll();
  expect(await keptOf(cvId)).toHaveLength(2);
});

it("of an account that is to be deleted nothing is made", async () => {
  const { cvId } = await ownerOf("restricted");
  await keepAll();
  expect(await keptOf(cvId)).toEqual([]);
});

it("that were claimed by a process that ended are made a minute later; without the ledger they wait", async () => {
  const { cvId } = await ownerOf("automatic");
  isLedgerAway = true;
  await expect(keepAll()).rejects.toThrow("does not answer");
  isLedgerAway = false;
  await keepAll();
  expect(await keptOf(cvId)).toEqual([]);
  studio.advance(60_000);
  await keepAll();
  expect(await keptOf(cvId)).toHaveLength(2);
});

it("an edit while files are made is not missed", async () => {
  const { accountId, cvId, edit } = await ownerOf("automatic");
  const deliveryOf = async () => {
    if ((await studio.state(accountId, `GET /api/cvs/${cvId}`)).version === 1)
      await edit("Late", 1);
    return "automatic" as const;
  };
  await keepFiles({ ...studio.context, deliveryOf, log });
  studio.advance(5_000);
  await keepAll();
  expect((await keptOf(cvId)).map(({ version }) => version)).toEqual([2, 2]);
});
