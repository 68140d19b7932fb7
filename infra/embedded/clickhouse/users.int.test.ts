import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type EngineUnderTest, startEngineUnderTest } from "./testing/engine-under-test.ts";

let engine: EngineUnderTest;
const command = (query: string) => engine.client.command({ query });
/** A request as a user, as any tool would send it. */
async function ask(
  user: string,
  sql: string,
  options: Record<string, string> = {},
): Promise<string> {
  const query = new URLSearchParams(options);
  const response = await fetch(`http://127.0.0.1:${engine.clickhouse.port}/?${query.toString()}`, {
    method: "POST",
    headers: { "x-clickhouse-user": user, "x-clickhouse-key": "secret" },
    body: sql,
  });
  return (await response.text()).trim();
}

beforeAll(async () => {
  engine = await startEngineUnderTest();
  await command("CREATE TABLE visits (n Int32) ENGINE = MergeTree ORDER BY n");
  await command("CREATE TABLE secrets (n Int32) ENGINE = MergeTree ORDER BY n");
  await command("INSERT INTO visits VALUES (7)");
  await command("CREATE USER reader IDENTIFIED BY 'secret' SETTINGS readonly = 1");
  await command("GRANT SELECT ON default.visits TO reader");
  await command("CREATE USER writer IDENTIFIED WITH sha256_password BY 'secret'");
  await command("CREATE ROLE adds");
  await command("CREATE ROLE nothing");
  await command("GRANT SELECT, INSERT ON default.visits TO adds");
  await command("GRANT adds, nothing TO writer");
});
afterAll(() => engine.close());

describe("a user of the embedded engine", () => {
  it("reads what was granted, with parameters, and nothing else", async () => {
    const sql = "SELECT n FROM visits WHERE n < {max:Int32}";
    expect(await ask("reader", sql, { param_max: "9" })).toBe("7");
    expect(await ask("reader", "SELECT * FROM secrets")).toContain("Not enough privileges");
  });

  it.each([
    "INSERT INTO visits VALUES (8)",
    "CREATE TABLE other (n Int32) ENGINE = Memory",
    "GRANT SELECT ON default.secrets TO reader",
    "SELECT file('/etc/hostname')",
    "SELECT `file`('/etc/hostname')",
    "SELECT * FROM file('/etc/hostname', LineAsString)",
    "SET ROLE `own-default`",
    "KILL QUERY WHERE 1",
    "SELECT * FROM system.users",
  ])("cannot go beyond: %s", async (sql) => {
    expect(await ask("reader", sql)).toMatch(/^Code: (?:497|164)\./);
  });

  it("cannot lift the limits of a setting", async () => {
    expect(await ask("reader", "SELECT 1", { readonly: "0" })).toMatch(/^Code: 164\./);
  });

  it("has the roles that a request names, or all", async () => {
    expect(await ask("writer", "SELECT currentRoles()")).toBe("['adds','nothing']");
    expect(await ask("writer", "INSERT INTO visits VALUES (9)")).toBe("");
    const refused = await ask("writer", "INSERT INTO visits VALUES (9)", { role: "nothing" });
    expect(refused).toContain("Not enough privileges");
    expect(await ask("reader", "SELECT 1", { role: "adds" })).toMatch(/^Code: 511\./);
  });

  it("does not outlive its end or its removal, and outlives the engine's process otherwise", async () => {
    await command("CREATE USER past IDENTIFIED BY 'secret' VALID UNTIL '2020-01-01 00:00:00 UTC'");
    expect(await ask("past", "SELECT 1")).toMatch(/^Code: 516\./);
    await command("CREATE USER gone IDENTIFIED BY 'secret'");
    expect(await ask("gone", "SELECT 1")).toBe("1");
    await command("DROP USER gone");
    expect(await ask("gone", "SELECT 1")).toMatch(/^Code: 516\./);
    const before = engine.clickhouse.restarts();
    const pid = engine.clickhouse.pid();
    if (pid !== undefined) process.kill(pid, "SIGKILL");
    await expect.poll(() => engine.clickhouse.restarts(), { timeout: 20_000 }).toBe(before + 1);
    await expect
      .poll(() => ask("reader", "SELECT n FROM visits WHERE n = 7").catch(() => ""), {
        timeout: 20_000,
      })
      .toBe("7");
  });

  it("is refused as a whole when the engine refuses a grant", async () => {
    await expect(command("GRANT SHOW USERS ON default.visits TO reader")).rejects.toThrow(
      "cannot be granted",
    );
    expect(await ask("reader", "SELECT n FROM visits WHERE n = 7")).toBe("7");
  });
});
