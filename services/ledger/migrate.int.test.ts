import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { createTestPostgres, type TestPostgres } from "@pro-talent/platform/testing/engines";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { migrateLedger } from "./migrate.ts";
import { readModels } from "./modules.ts";

const migrations = fileURLToPath(new URL("migrations", import.meta.url));
const tables = readModels.map(({ table }) => table);

describe("the ledger's migrations", () => {
  let database: TestPostgres;
  beforeAll(async () => {
    database = await createTestPostgres();
  });
  afterAll(() => database.drop());

  it("name the roles that are missing, and change nothing then", async () => {
    const text = await readFile(join(migrations, "0001_event_store.sql"), "utf8");
    const withoutRoles = text.replace(
      "array['ledger_app', 'collector_app']",
      "array['ledger_app', 'role_one', 'role_two']",
    );
    const owner = openPool(database.ownerUrl, { max: 1, applicationName: "test" });
    await owner`create schema ledger`;
    await expect(owner.unsafe(withoutRoles)).rejects.toThrow(
      "The role(s) role_one, role_two do not exist",
    );
    expect(await owner`select from pg_tables where schemaname = 'ledger'`).toHaveLength(0);
    await owner.end();
  });

  it("are applied once, and tables of read models made once", async () => {
    const files = (await readdir(migrations)).toSorted();
    expect(await migrateLedger(database.ownerUrl)).toEqual([...files, ...tables]);
    expect(await migrateLedger(database.ownerUrl)).toEqual([]);
  });
});
