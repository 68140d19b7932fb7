import { randomBytes, randomUUID } from "node:crypto";
import { rename } from "node:fs/promises";

import { openFileKeyStore } from "@pro-talent/platform/keys/file-key-store";
import { asRole } from "@pro-talent/platform/testing/engines";
import { runHere, runProgram } from "@pro-talent/platform/testing/run-program";
import { afterEach, beforeEach, expect, it } from "vitest";

import { openKeyring } from "./kernel/keys/keyring.ts";
import { ledgerStoreNames } from "./kernel/keys/open-keys.ts";
import { openSubjects } from "./kernel/subjects.ts";
import { log } from "./kernel/testing/ledger-workers.ts";
import { createTestLedger, type TestLedger, testSecrets } from "./testing/create-test-ledger.ts";

let ledger: TestLedger;
beforeEach(async () => {
  ledger = await createTestLedger();
});
afterEach(() => ledger.drop());

const program = new URL("keys.cli.ts", import.meta.url);
const environment = () => ({
  DATABASE_OPERATOR_URL: asRole(ledger.ownerUrl, "ledger_operator"),
  ...ledger.testKeys.environment,
});
const run = (args: readonly string[], change: Readonly<Record<string, string>> = {}) =>
  runHere(program, args, { ...environment(), ...change });

const email = "noa@example.com";

it("shows the epochs and whether the keys at hand are the ledger's; nothing is given up while they are", async () => {
  await ledger.subjects.withAddress("test.subscriber", email);
  const { code, output } = await runProgram(program, [], environment());
  expect(output).toMatch(/^[0-9a-f]{8} {2}in use since [-0-9]{10}, data subjects: 1\n/u);
  expect(output).toMatch(
    /lookup key since [-0-9]{10}, data subjects: 1\nThe keys are the ledger's\.\n$/u,
  );
  expect(code).toBe(0);
  for (const what of ["epochs", "lookup"]) {
    expect(await run(["accept-loss", what])).toMatchObject({
      code: 1,
      output: "Nothing is lost: the keys at hand are the ledger's.\n",
    });
  }
  expect((await run(["accept-loss"])).code).toBe(1);
  const wrong = await run([], { LEDGER_LOOKUP_KEY: "0".repeat(64) });
  expect([wrong.code, wrong.output]).toEqual([
    1,
    expect.stringContaining("Wrong: LEDGER_LOOKUP_KEY\n"),
  ]);
});

it("after the loss of the key store is accepted the ledger goes on with new keys", async () => {
  const lost = await ledger.subjects.withAddress("test.subscriber", email);
  const other = await run(["accept-loss", "epochs"], { LEDGER_WRAPPING_KEY: "0".repeat(64) });
  expect(other.errors).toMatch(/^The key store cannot be opened \(LEDGER_WRAPPING_KEY\)\. .+\n$/u);
  await rename(ledger.testKeys.file, `${ledger.testKeys.file}.gone`);
  expect((await run([])).output).toContain("Wrong: LEDGER_KEY_STORE");
  const accepted = await run(["accept-loss", "epochs"]);
  expect(accepted).toMatchObject({
    code: 0,
    output: "Accepted. Data subjects that cannot be read any more: 1\n",
  });
  const wrappingKey = randomBytes(32);
  const store = openFileKeyStore(ledger.testKeys.file, [wrappingKey], ledgerStoreNames);
  const keys = { store, wrappingKeys: [wrappingKey], lookupKeys: [testSecrets.lookupKey] } as const;
  const subjects = openSubjects(ledger.sql, openKeyring({ sql: ledger.sql, keys, log }));
  const again = await subjects.withAddress("test.subscriber", email);
  expect(again.id).not.toBe(lost.id);
  expect(await subjects.idOfAddress("test.subscriber", email)).toBe(again.id);
  await expect(subjects.find(lost.id)).rejects.toThrow("no key of epoch");
});

it("after the loss of the lookup key is accepted a known address is a new one", async () => {
  const { id } = await ledger.subjects.withAddress("test.subscriber", email);
  const key = randomBytes(32);
  const change = { LEDGER_LOOKUP_KEY: key.toString("hex") };
  expect((await run(["accept-loss", "lookup"], change)).code).toBe(0);
  const keys = { ...ledger.testKeys.keys, lookupKeys: [key] as const };
  const subjects = openSubjects(ledger.sql, openKeyring({ sql: ledger.sql, keys, log }));
  expect((await subjects.withAddress("test.subscriber", email)).id).not.toBe(id);
  expect(await subjects.find(id)).toBeDefined();
  expect((await run([], change)).output).toContain("The keys are the ledger's.");
  // The new key is the ledger's own by now: another one is not.
  expect((await run([])).output).toContain("Wrong: LEDGER_LOOKUP_KEY");
  expect(await subjects.find(randomUUID())).toBeUndefined();
});
