import { readFile } from "node:fs/promises";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { createTestPostgres, type TestPostgres } from "@pro-talent/platform/testing/engines";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { migrateLedger } from "./migrate.ts";

let database: TestPostgres;

beforeAll(async () => {
  database = await createTestPostgres();
});
afterAll(() => database.drop());

describe("the ledger's migrations", () => {
  it("say which roles are missing, and change nothing then", async () => {
    const file = new URL("migrations/0001_event_store.sql", import.meta.url);
    const text = await readFile(file, "utf8");
    const withoutRoles = text.replace(
      "array['ledger_app', 'collector_app']",
      "array['ledger_app', 'role_nobody_made', 'role_nobody_made_either']",
    );
    const owner = openPool(database.ownerUrl, { max: 1, applicationName: "test" });
    await owner`create schema ledger`;
    await expect(owner.unsafe(withoutRoles)).rejects.toThrow(
      "The role(s) role_nobody_made, role_nobody_made_either do not exist",
    );
    expect(await owner`select from pg_tables where schemaname = 'ledger'`).toHaveLength(0);
    await owner.end();
  });

  it("are applied once", async () => {
    expect(await migrateLedger(database.ownerUrl)).toEqual([
      "0001_event_store.sql",
      "0002_consent.sql",
      "0003_verify_and_rebuild.sql",
      "0004_subjects.sql",
      "0005_outbox_turns.sql",
      "0006_newsletter.sql",
      "0007_newsletter_issue.sql",
      "0008_orphans.sql",
      "0009_planned_writes.sql",
      "0010_removals_outlive_a_rebuild.sql",
      "0011_read_models_and_processes.sql",
      "0012_issue_deliveries.sql",
      "0013_data_classification.sql",
    ]);
    expect(await migrateLedger(database.ownerUrl)).toEqual([]);
  });
});
