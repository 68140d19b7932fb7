import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { createLogger } from "@pro-talent/platform/runtime/logger";
import { afterAll, beforeAll, expect, it } from "vitest";

import { openLedgerService, openLedgerWorker } from "./service.ts";

const secret = "a1b2c3d4".repeat(8);
const log = createLogger({ service: "test", level: "silent" });
let directory: string;
/** A path whose directory is a file. */
let nowhere: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "ledger-service-"));
  await writeFile(join(directory, "file"), "");
  nowhere = join(directory, "file", "within", "name");
});
afterAll(() => rm(directory, { recursive: true }));

const environment = (): Record<string, string> => ({
  DATABASE_URL: "postgres://127.0.0.1:9/none",
  DATABASE_KEEPER_URL: "postgres://127.0.0.1:9/none",
  QUEUE_URL: "postgres://127.0.0.1:9/none",
  SMTP_URL: "smtp://127.0.0.1:9",
  PUBLIC_ORIGIN: "http://localhost:3000",
  ACCOUNTS_URL: "http://127.0.0.1:9",
  INTERNAL_TOKEN: secret,
  LEDGER_WRAPPING_KEY: secret,
  LEDGER_LOOKUP_KEY: secret,
  LEDGER_KEY_STORE: pathToFileURL(join(directory, "keys.json")).href,
});

it.each(["ERASURE_JOURNAL_FILE", "LEDGER_HEADS_FILE"])(
  "a worker that cannot write to %s does not start, and says so",
  async (setting) => {
    const opening = openLedgerWorker({ ...environment(), [setting]: nowhere }, log);
    await expect(opening).rejects.toThrow(`set ${setting} to another place`);
  },
);

it("a service that cannot store files does not start, and says so", async () => {
  const source = { ...environment(), FILES_URL: pathToFileURL(nowhere).href };
  await expect(openLedgerService(source, log)).rejects.toThrow("set FILES_URL to another place");
});
