import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { createTestPostgres, type TestPostgres } from "@pro-talent/platform/testing/engines";
import { runProgram } from "@pro-talent/platform/testing/run-program";
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

  it("as a program state in a sentence what is missing", async () => {
    const run = (DATABASE_OWNER_URL: string) =>
      runProgram(new URL("migrate.ts", import.meta.url), [], { DATABASE_OWNER_URL });
    const url = new URL(database.ownerUrl);
    const wrong = Object.assign(new URL(url), { password: "not-the-password" });
    const elsewhere = Object.assign(new URL(url), { pathname: "/no_such_database" });
    const [address, password, name] = await Promise.all([
      run("nonsense"),
      run(wrong.href),
      run(elsewhere.href),
    ]);
    expect(address.errors).toMatch(
      /^The environment is not complete:\n {2}DATABASE_OWNER_URL: .+\n$/,
    );
    expect(password.errors).toMatch(/^The database refuses this password \(28P01\)\. .+\n$/);
    expect(name.errors).toMatch(/^The server has no such database \(3D000\)\. .+\n$/);
    for (const { code, output, errors } of [address, password, name]) {
      expect([code, output]).toEqual([1, ""]);
      expect(errors).not.toContain("not-the-password");
    }
  });

  it("are applied once, and tables of read models made once", async () => {
    const files = (await readdir(migrations)).toSorted();
    expect(await migrateLedger(database.ownerUrl)).toEqual([...files, ...tables]);
    expect(await migrateLedger(database.ownerUrl)).toEqual([]);
  });
});
