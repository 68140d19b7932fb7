import type { Transaction } from "@pro-talent/platform/postgres/pool";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { eraseDetails, settleMatter } from "../domains/contact/contact-messages.ts";
import { idOf } from "../kernel/events.ts";
import { catchUp, followerOf } from "../kernel/follow.ts";
import { openTurns } from "../kernel/keys/testing/turns.ts";
import { rebuildReadModel } from "../kernel/rebuild.ts";
import { migrateLedger } from "../migrate.ts";
import { modules, readModels } from "../modules.ts";
import { createTestLedger, testCause, type TestLedger } from "../testing/create-test-ledger.ts";
import { definitionsOf } from "./definitions.ts";
import type { ChainEnd } from "./event-hash.ts";
import type { Finding } from "./findings.ts";
import { eraseOne, fillLedger, type Targets } from "./testing/attacked-ledger.ts";
import { codeAttacks, derivedAttacks } from "./testing/attacks-on-derived.ts";
import { type Attack, chainAttacks, eventAttacks, wholeAttacks } from "./testing/attacks.ts";
import { type Verification, verifyLedger, verifyWithin } from "./verify.ts";

const definitions = definitionsOf(modules);
const consents = 10_000;
/** Events of the ledger of this suite; the attacks on its end are named before it exists. */
const events = 10_122;

let ledger: TestLedger;
let targets: Targets;
let head: ChainEnd;

beforeAll(async () => {
  ledger = await createTestLedger();
  targets = await fillLedger(ledger, consents);
  head = (await verifyLedger(ledger.owner)).end;
});
afterAll(() => ledger.drop());

class Undone extends Error {}

/** Runs as a superuser in a transaction that is rolled back. */
async function undone<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  let result: Result | undefined;
  await ledger.owner
    .begin(async (tx) => {
      result = await work(tx);
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  if (result === undefined) throw new Error("There is no result");
  return result;
}

async function attack(tx: Transaction, attacks: readonly Attack[]): Promise<void> {
  await tx.unsafe("alter table ledger.event disable trigger user");
  for (const { sql } of attacks) await tx.unsafe(sql);
}

/** The findings that name an attack. */
function foundOf(findings: readonly Finding[], attacked: Attack | undefined): readonly Finding[] {
  if (attacked === undefined) return [];
  const { why, position, about } = attacked;
  return findings.filter(
    (finding) =>
      finding.why === why &&
      (position === undefined || finding.position === position) &&
      (about === undefined || finding.what?.includes(about) === true),
  );
}

describe("at one time, each is found:", () => {
  let verification: Verification;

  beforeAll(async () => {
    verification = await undone(async (tx) => {
      await attack(tx, [...eventAttacks, ...chainAttacks, ...derivedAttacks(targets)]);
      return await verifyWithin(tx, { definitions });
    });
  });

  const named = [...eventAttacks, ...chainAttacks];
  it.each(named)("$name", (one) => {
    expect(foundOf(verification.findings, one)).not.toEqual([]);
  });

  const none: Targets = {
    pending: "",
    confirmed: "",
    wordy: "",
    erased: "",
    received: "",
    issue: "",
  };
  it.each(derivedAttacks(none).map(({ name }, index) => ({ name, index })))(
    "$name",
    ({ index }) => {
      expect(foundOf(verification.findings, derivedAttacks(targets)[index])).not.toEqual([]);
    },
  );
});

describe("of what the database defines, each change is found:", () => {
  let verification: Verification;

  beforeAll(async () => {
    verification = await undone(async (tx) => {
      await tx.unsafe("set local lock_timeout = '5s'");
      for (const { sql } of codeAttacks) await tx.unsafe(sql);
      return await verifyWithin(tx, { definitions, from: head });
    });
  });

  it.each(codeAttacks)("$name", (one) => {
    expect(foundOf(verification.findings, one)).not.toEqual([]);
  });
});

describe("a superuser who adapts everything in the database is found:", () => {
  it.each(wholeAttacks(events))("$name", async (one) => {
    const { findings } = await undone(async (tx) => {
      await attack(tx, [one]);
      return await verifyWithin(tx, { heads: [head] });
    });
    expect(foundOf(findings, one)).not.toEqual([]);
  });

  it("events are replaced by a view of what they were", async () => {
    const { findings } = await undone(async (tx) => {
      await tx.unsafe(`alter table ledger.event rename to event_moved;
        create view ledger.event as select * from ledger.event_moved`);
      return await verifyWithin(tx, { definitions, from: head });
    });
    expect(findings.map(({ what }) => what)).toContain("view ledger.event");
  });

  it("rows that a policy hides from the verifier are an error", async () => {
    const hidden = undone(async (tx) => {
      await tx.unsafe(`alter table ledger.event enable row level security;
        create policy hide on ledger.event using (pos < 10); set local role ledger_verifier`);
      return await verifyWithin(tx);
    });
    await expect(hidden).rejects.toMatchObject({ code: "42501" });
  });
});

it("what is allowed raises no alarm: erasures, rebuilds, epochs of keys, migrations", async () => {
  await eraseOne(ledger);
  const { received } = targets;
  const context = { now: instantFromMs(Date.now()), cause: testCause("operator") };
  await settleMatter(ledger.ledger, idOf(received), context);
  await eraseDetails(ledger, idOf(received), "EraseContactDetails", context);
  for (const model of readModels.filter(({ category }) => category !== "consent")) {
    if (model.mode === "following") await catchUp(followerOf(ledger.sql, model));
    const { equal } = await rebuildReadModel(ledger.owner, model, { accept: false });
    expect(equal).toBe(true);
  }
  const turns = openTurns(ledger);
  for (const day of [13, 14.1, 45]) await turns.at(day);
  expect(await ledger.owner`select from ledger.ended_epoch`).toHaveLength(1);
  await migrateLedger(ledger.ownerUrl);
  const { findings, events: checked } = await verifyLedger(ledger.owner, {
    definitions,
    heads: [head],
  });
  expect(findings).toEqual([]);
  expect(checked).toBeGreaterThan(events);
});
