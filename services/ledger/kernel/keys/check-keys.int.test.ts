import { randomBytes, randomUUID } from "node:crypto";
import { readFile, rename, rm } from "node:fs/promises";

import { openFileKeyStore } from "@pro-talent/platform/keys/file-key-store";
import { migrateQueue } from "@pro-talent/platform/queue/migrate-queue";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { asRole } from "@pro-talent/platform/testing/engines";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { contactDetails, entered } from "../../domains/contact/testing/contact-samples.ts";
import { buildTestApp } from "../../testing/build-test-app.ts";
import {
  createTestLedger,
  type TestLedger,
  testSecrets,
} from "../../testing/create-test-ledger.ts";
import { buildLedgerWorker, ledgerConnectionsMin } from "../../worker-app.ts";
import { openSubjects } from "../subjects.ts";
import { workerOptions } from "../testing/ledger-workers.ts";
import type { LedgerKeys } from "./check-keys.ts";
import { openKeyring } from "./keyring.ts";
import { ledgerStoreNames } from "./open-keys.ts";

let ledger: TestLedger;
beforeEach(async () => {
  ledger = await createTestLedger({ max: ledgerConnectionsMin });
});
afterEach(() => ledger.drop());

/** Collects what is logged as an error. */
function errorLog(): { log: Logger; errors: unknown[] } {
  const errors: unknown[] = [];
  const ignore = (): void => undefined;
  const log = { fatal: ignore, warn: ignore, info: ignore, debug: ignore, trace: ignore };
  return { log: { ...log, error: (...line: unknown[]) => void errors.push(line) }, errors };
}

const sealedRows = () => ledger.owner`select from ledger.subject`;
const email = (): string => `noa-${randomUUID()}@example.com`;

/** Another instance's keys in one place each, as an operator may mix them up. */
const mistakes: [string, string, () => Promise<LedgerKeys>][] = [
  [
    "LEDGER_WRAPPING_KEY",
    "is another one",
    async () => {
      const wrappingKey = randomBytes(32);
      const store = openFileKeyStore(ledger.testKeys.file, [wrappingKey], ledgerStoreNames);
      return { ...ledger.testKeys.keys, store, wrappingKeys: [wrappingKey] };
    },
  ],
  [
    "LEDGER_LOOKUP_KEY",
    "is another one",
    async () => ({ ...ledger.testKeys.keys, lookupKeys: [randomBytes(32)] }),
  ],
  [
    "LEDGER_KEY_STORE",
    "is empty",
    async () => {
      await rm(ledger.testKeys.file);
      return ledger.testKeys.keys;
    },
  ],
  [
    "LEDGER_KEY_STORE",
    "is that of another ledger",
    async () => {
      const store = openFileKeyStore(
        `${ledger.testKeys.file}.other`,
        [testSecrets.wrappingKey],
        ledgerStoreNames,
      );
      await store.begin(instantFromMs(Date.now()), undefined);
      return { ...ledger.testKeys.keys, store };
    },
  ],
];

describe.each(mistakes)("while %s %s", (setting, _how, mistaken) => {
  it("the service is not ready, seals nothing, answers forms with 503 and names the setting", async () => {
    await ledger.subjects.withAddress("test.subscriber", email());
    const keys = await mistaken();
    const { log, errors } = errorLog();
    const app = await buildTestApp(ledger, { keys, log });
    const ready = await app.inject("/readyz");
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toMatchObject({ ready: false, missing: ["keys"] });
    const form = await app.inject({ method: "POST", url: "/api/contact/send", payload: entered() });
    expect(form.statusCode).toBe(503);
    expect(form.json()).toMatchObject({ code: "ledger_unavailable" });
    expect(form.headers["retry-after"]).toBeDefined();
    const subjects = openSubjects(
      ledger.sql,
      openKeyring({ sql: ledger.sql, keys, log: errorLog().log }),
    );
    const [known] = await ledger.owner<
      { id: string }[]
    >`select subject_id as id from ledger.subject`;
    for (const ask of [
      () => subjects.withAddress("test.subscriber", email()),
      () => subjects.ofOccasion("test.sender", randomUUID(), email()),
      () => subjects.find(known?.id ?? ""),
      () => subjects.idOfAddress("test.subscriber", email()),
    ]) {
      await expect(ask()).rejects.toMatchObject({ name: "KeysUnavailable", settings: [setting] });
    }
    expect(await sealedRows()).toHaveLength(1);
    expect(await ledger.owner`select from ledger.event`).toHaveLength(0);
    expect(errors).toMatchObject([
      [{ key: setting }, expect.stringContaining("nothing is sealed")],
    ]);
    expect(JSON.stringify(errors)).not.toMatch(/[0-9a-f]{64}/u);
    await app.close();
  });
});

describe("keys that are put right", () => {
  it("make a running service ready again", async () => {
    await ledger.subjects.withAddress("test.subscriber", email());
    const { file, keys } = ledger.testKeys;
    await rename(file, `${file}.away`);
    const app = await buildTestApp(ledger, { keys });
    expect((await app.inject("/readyz")).statusCode).toBe(503);
    await rename(`${file}.away`, file);
    expect((await app.inject("/readyz")).statusCode).toBe(200);
    await app.close();
  });
});

describe("an empty ledger", () => {
  it("takes the keys of the first process as its own, also of many at once", async () => {
    const { sql } = ledger;
    const { log } = errorLog();
    const start = async () => openKeyring({ sql, keys: ledger.testKeys.keys, log }).requireUsable();
    await Promise.all(Array.from({ length: 6 }, start));
    expect(await ledger.owner`select from ledger.key_epoch`).toHaveLength(1);
    expect(await ledger.owner`select from ledger.lookup_key`).toHaveLength(1);
    expect(await ledger.testKeys.keys.store.epochs()).toHaveLength(1);
  });

  it("uses the key that an interrupted start left in the store", async () => {
    const { store } = ledger.testKeys.keys;
    const left = await store.begin(instantFromMs(Date.now()), undefined);
    await ledger.keyring.requireUsable();
    const rows = await ledger.owner`select key_id from ledger.key_epoch`;
    expect(rows).toEqual([{ key_id: left.id }]);
  });
});

describe("a worker with a wrong key", () => {
  it("is not ready, delivers nothing, and leaves the messages as they are", async () => {
    const app = await buildTestApp(ledger);
    const sent = await app.inject({ method: "POST", url: "/api/contact/send", payload: entered() });
    expect(sent.statusCode).toBe(200);
    const text = await readFile(ledger.testKeys.file, "utf8");
    expect(text).not.toContain(contactDetails().email);
    const keys = { ...ledger.testKeys.keys, lookupKeys: [randomBytes(32)] as [Buffer] };
    const { ownerUrl } = ledger;
    const queueUrl = asRole(ownerUrl, "jobs_app");
    await migrateQueue({ queueUrl, ownerUrl, name: "ledger", role: "jobs_app" });
    const worker = await buildLedgerWorker(workerOptions(ledger.sql, queueUrl, keys));
    const ready = await worker.inject("/readyz");
    expect(ready.json()).toMatchObject({ missing: ["keys", "relay", "sweeper", "processes"] });
    expect(await ledger.owner`select from ledger.outbox where turn > 0`).toEqual([]);
    await worker.close();
    await app.close();
  });
});
