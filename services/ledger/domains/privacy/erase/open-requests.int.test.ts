import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runCommand } from "../../../kernel/commands.ts";
import { requester } from "../../../restriction.ts";
import { testCause } from "../../../testing/create-test-ledger.ts";
import { findRequest } from "../read-models.ts";
import { privacyRequests } from "../requests.ts";
import * as facts from "../testing/facts.ts";
import { dayMs, openPrivacy, requestIn } from "../testing/open-privacy.ts";
import {
  claimHandler,
  eraseHandler,
  type ErasureParts,
  type ErasureStep,
  stepsFor,
} from "./erase-person.ts";
import { openJournal } from "./journal.ts";
import { requestKeysEraser, requestsEraser } from "./stores.ts";

let privacy: Awaited<ReturnType<typeof openPrivacy>>;
let parts: ErasureParts;
beforeAll(async () => {
  privacy = await openPrivacy();
  parts = {
    context: privacy.worker,
    journal: openJournal({
      ERASURE_JOURNAL_FILE: join(privacy.directory, "journal.jsonl"),
      ERASURE_JOURNAL_KEY: Buffer.alloc(32, 7),
    }),
    search: async () => [{ store: "ledger", decoy: true, hits: 0, kept: 0, searched: 1 }],
    scopeOf: (_id, accountId) => ({
      accountId,
      email: async () => `${accountId}@example.com`,
      traces: async () => ({}),
      steps: stepsOf(accountId),
      close,
    }),
  };
});
afterAll(() => privacy.close());

const close = async () => undefined;
const stepsOf = (accountId: string | null): readonly ErasureStep[] =>
  stepsFor(privacy.worker, [requestsEraser(privacy.files), requestKeysEraser], async () => ({
    accountId: accountId ?? "",
    email: `${accountId}@example.com`,
  }));

type Person = ReturnType<typeof privacy.person>;
const why = () => ({ now: instantFromMs(privacy.time.ms), cause: testCause() });

/** A correction of the phone number, sealed with what was asked for. */
const askForCorrection = async (dana: Person): Promise<string> =>
  requestIn(await dana.send("POST", "/correct", { fields: { phone: "+972 3 123 4567" } }))
    .requestId;

async function approved(id: string): Promise<string> {
  const officer = privacy.officer();
  await officer.decided(id, "claim");
  await officer.decided(id, "approve", { held: { phone: "" } });
  return id;
}

/** A request whose sender has not proved who they are. */
async function askWithoutIdentity({ accountId, email }: Person): Promise<string> {
  const id = randomUUID();
  const subject = await privacy.ledger.subjects.ofOccasion(requester, id, email);
  const command = { ...facts.receives("correct"), accountId, identity: null };
  const sealed = { ...subject.seal({ asked: {} }), type: "RequestReceived" as const };
  const received = { ...why(), id, command, body: command, sealed };
  await runCommand(privacy.ledger.ledger, privacyRequests, received);
  return id;
}

const open: Readonly<Record<string, readonly [string, (dana: Person) => Promise<string>]>> = {
  "a request whose identity is not verified": ["received", askWithoutIdentity],
  "a correction that an officer has taken": [
    "verified",
    async (dana) => {
      const id = await askForCorrection(dana);
      await privacy.officer().decided(id, "claim");
      return id;
    },
  ],
  "a correction that is applied": [
    "applying",
    async (dana) => await approved(await askForCorrection(dana)),
  ],
  "a correction that failed": [
    "stalled",
    async (dana) => {
      const id = await approved(await askForCorrection(dana));
      for (let attempt = 0; attempt < 5; attempt += 1)
        await privacy.record(id, facts.stepFailed("phone"));
      return id;
    },
  ],
  "a copy of all data that is ready": [
    "ready",
    async (dana) => {
      const { requestId } = requestIn(await dana.send("POST", "/access", {}));
      const officer = privacy.officer();
      await officer.decided(requestId, "claim");
      await officer.decided(requestId, "approve");
      await privacy.work(requestId);
      return requestId;
    },
  ],
};

async function deletionOf(dana: Person): Promise<string> {
  const { requestId } = requestIn(await dana.askForDeletion());
  await dana.send("POST", "/waive-grace", { email: dana.email });
  return requestId;
}

async function erase(id: string): Promise<void> {
  await claimHandler(parts)(id, why());
  await eraseHandler(parts)(id, why());
}

const statusOf = async (id: string) => await findRequest(privacy.ledger.sql, id);
const sealedUnder = async (id: string) =>
  await privacy.ledger.owner`select from ledger.event where key_id = ${id} and sealed is not null`;

async function packagesOf(id: string): Promise<number> {
  let found = 0;
  for await (const { name } of privacy.files.list("packages")) if (name.includes(id)) found += 1;
  return found;
}

describe("an account with other requests is erased, and they end with it", () => {
  it.each(Object.entries(open))("%s", async (_case, [status, ask]) => {
    const dana = privacy.person();
    const [deletion, other] = [await deletionOf(dana), await ask(dana)];
    expect(await statusOf(other)).toMatchObject({ status });
    expect(await sealedUnder(other)).not.toEqual([]);
    await erase(deletion);
    expect(await statusOf(deletion)).toMatchObject({ status: "erased" });
    const outcome = status === "ready" ? "fulfilled" : "erased";
    expect(await statusOf(other)).toMatchObject({ status: "completed", outcome });
    expect(await sealedUnder(other)).toEqual([]);
    expect(await packagesOf(other)).toBe(0);
  });
});

it("a request that ended before keeps its outcome, and one of another account goes on", async () => {
  const [dana, omar] = [privacy.person(), privacy.person()];
  const [withdrawn, kept] = [await askForCorrection(dana), await askForCorrection(omar)];
  await dana.send("POST", `/${withdrawn}/withdraw`, {});
  await erase(await deletionOf(dana));
  expect(await statusOf(withdrawn)).toMatchObject({ outcome: "withdrawn" });
  expect(await statusOf(kept)).toMatchObject({ status: "verified", outcome: null });
  expect(await sealedUnder(kept)).not.toEqual([]);
});

it("a request that arrives while its account is erased ends too", async () => {
  const dana = privacy.person();
  const deletion = await deletionOf(dana);
  await claimHandler(parts)(deletion, why());
  const late = { id: "" };
  const arriving = (step: ErasureStep): ErasureStep => ({
    ...step,
    erase: async (cause) => {
      const erased = await step.erase(cause);
      late.id = await askForCorrection(dana);
      return erased;
    },
  });
  const scopeOf: ErasureParts["scopeOf"] = (id, accountId) => {
    const scope = parts.scopeOf(id, accountId);
    const [first, ...rest] = scope.steps;
    return { ...scope, steps: first === undefined ? rest : [arriving(first), ...rest] };
  };
  await eraseHandler({ ...parts, scopeOf })(deletion, why());
  expect(await statusOf(late.id)).toMatchObject({ status: "completed", outcome: "erased" });
  expect(await sealedUnder(late.id)).toEqual([]);
});

it("a hold on another deletion of the account keeps everything of it", async () => {
  const dana = privacy.person();
  const [deletion, held] = [await deletionOf(dana), randomUUID()];
  const command = { ...facts.receives("delete"), accountId: dana.accountId };
  const received = { ...why(), id: held, command, body: command };
  await runCommand(privacy.ledger.ledger, privacyRequests, received);
  const reviewAt = instantFromMs(privacy.time.ms + 30 * dayMs);
  await privacy.record(held, facts.holdPlaced(reviewAt));
  await erase(deletion);
  expect(await statusOf(deletion)).toMatchObject({ status: "erasing" });
  expect(await statusOf(held)).toMatchObject({ status: "scheduled", outcome: null });
  expect(await sealedUnder(deletion)).not.toEqual([]);
});

it("what was written with a request goes when it is not proved in time who asked", async () => {
  const id = await askWithoutIdentity(privacy.person());
  privacy.time.ms += 14 * dayMs;
  await privacy.work(id);
  expect(await statusOf(id)).toMatchObject({ status: "completed", outcome: "expired" });
  expect(await sealedUnder(id)).toEqual([]);
});
