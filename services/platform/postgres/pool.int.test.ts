import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createTestPostgres, type TestPostgres } from "../testing/engines.ts";
import { until } from "../testing/until.ts";
import { openPool, type Sql } from "./pool.ts";
import { PostgresUnavailable } from "./unavailable.ts";

let database: TestPostgres;
let sql: Sql;
let other: Sql;

beforeAll(async () => {
  database = await createTestPostgres();
  sql = openPool(database.ownerUrl, { max: 4, applicationName: "test-pool" });
  other = openPool(database.ownerUrl, { max: 1, applicationName: "test-other" });
  await sql`create table note (id int primary key, text text)`;
});
afterAll(async () => {
  await Promise.all([sql.end(), other.end()]);
  await database.drop();
});

const cutAll = () => other<{ cut: boolean }[]>`
  select pg_terminate_backend(pid) as cut from pg_stat_activity where application_name = 'test-pool'`;

describe("a pool", () => {
  it("brings rows with their count, big integers as numbers, and bytes", async () => {
    const rows = await sql`
      select 9007199254740991::bigint as big, ${Buffer.from("ab")}::bytea as bytes,
             ${["x", "y"]}::text[] as list, ${new Date(5)}::timestamptz as at, null as nothing`;
    expect(rows).toEqual([
      {
        big: 9007199254740991,
        bytes: Buffer.from("ab"),
        list: ["x", "y"],
        at: new Date(5),
        nothing: null,
      },
    ]);
    const { count } = await sql`insert into note select n, 'x' from generate_series(100, 104) n`;
    expect(count).toBe(5);
  });

  it("passes the server's refusals on as they are", async () => {
    await expect(sql`insert into note values (100, 'again')`).rejects.toMatchObject({
      code: "23505",
    });
  });

  it("answers every statement while its connections are cut again and again", async () => {
    let running = true;
    let answers = 0;
    const refusals: unknown[] = [];
    const asking = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (running) {
          try {
            const [row] = await sql<{ n: number }[]>`select ${7}::int as n, pg_sleep(0.001)`;
            if (row?.n === 7) answers += 1;
          } catch (error) {
            refusals.push(error);
          }
        }
      }),
    );
    await until("many statements were cut", async () => {
      await cutAll();
      return refusals.length >= 40 && answers >= 40;
    }).finally(() => {
      running = false;
    });
    await asking;
    expect(refusals.filter((error) => !(error instanceof PostgresUnavailable))).toEqual([]);
    await until("the pool answers again", async () => (await sql`select 1 as one`).length === 1);
  });

  it("survives that its idle connections are cut", async () => {
    await sql`select 1`;
    const idle = await cutAll();
    expect(idle.length).toBeGreaterThan(0);
    await until("the pool answers again", async () => (await sql`select 1 as one`).length === 1);
  });

  it("gives up on a statement that takes too long", async () => {
    const hasty = openPool(database.ownerUrl, {
      applicationName: "test-hasty",
      statementSecondsMax: 0.2,
    });
    await expect(hasty`select pg_sleep(20)`).rejects.toBeInstanceOf(PostgresUnavailable);
    await hasty.end();
  });

  it("that cannot connect says so, without the address", async () => {
    const nowhere = openPool("postgres://unknown:secret@127.0.0.1:1/x", { applicationName: "x" });
    await expect(nowhere`select 1`).rejects.toMatchObject({ message: "no connection" });
    await expect(nowhere.begin(async () => 1)).rejects.toBeInstanceOf(PostgresUnavailable);
    await nowhere.end();
  });
});

describe("a transaction", () => {
  const ids = async () =>
    (await sql<{ id: number }[]>`select id from note where id < 100`).map((row) => row.id);

  it("is kept as a whole, and gives back what its work gives", async () => {
    const result = await sql.begin(async (tx) => {
      await tx`insert into note values (1, 'a')`;
      await tx`insert into note values (2, 'b')`;
      return "done";
    });
    expect(result).toBe("done");
    expect(await ids()).toEqual([1, 2]);
  });

  it("leaves nothing when its work fails, and its connection is used no more", async () => {
    const undone = sql.begin(async (tx) => {
      await tx`insert into note values (3, 'c')`;
      throw new Error("changed my mind");
    });
    await expect(undone).rejects.toThrow("changed my mind");
    expect(await ids()).toEqual([1, 2]);
  });

  it.each([
    ["by its own", new Error("not now")],
    ["because another database was away", new PostgresUnavailable("not now")],
  ])("that failed %s has let go of its locks by then", async (_why, error) => {
    const met = { free: 0, held: 0 };
    const failAndTryAgain = async (id: number): Promise<void> => {
      const failing = sql.begin(async (tx) => {
        await tx`select pg_advisory_xact_lock(${id})`;
        throw error;
      });
      await expect(failing).rejects.toThrow("not now");
      const [row] = await other<
        { free: boolean }[]
      >`select pg_try_advisory_xact_lock(${id}) as free`;
      met[row?.free === true ? "free" : "held"] += 1;
    };
    for (let round = 0; round < 40; round += 1) {
      await Promise.all([101, 102, 103, 104].map((id) => failAndTryAgain(id)));
    }
    expect(met).toEqual({ free: 160, held: 0 });
  });

  it("that is cut in the middle leaves nothing, and goes on nowhere else", async () => {
    const cut = sql.begin(async (tx) => {
      await tx`insert into note values (4, 'd')`;
      await cutAll();
      await tx`insert into note values (5, 'e')`;
    });
    await expect(cut).rejects.toBeInstanceOf(PostgresUnavailable);
    expect(await ids()).toEqual([1, 2]);
  });

  it("has the isolation that was asked for", async () => {
    const isolation = await sql.begin("isolation level repeatable read", async (tx) => {
      const [row] = await tx<{ level: string }[]>`
        select current_setting('transaction_isolation') as level`;
      return row?.level;
    });
    expect(isolation).toBe("repeatable read");
  });
});

describe("a copy out of the database", () => {
  const copy = (onCopied: (bytes: Buffer) => void) =>
    sql.begin(async (tx) => {
      await tx.copyOut("copy (select n from generate_series(1, 5) n) to stdout", onCopied);
      // The connection is usable again.
      return (await tx<{ one: number }[]>`select 1 as one`)[0]?.one;
    });

  it("passes every row on, and then the transaction continues", async () => {
    const rows: string[] = [];
    expect(await copy((bytes) => void rows.push(bytes.toString()))).toBe(1);
    expect(rows).toEqual(["1\n", "2\n", "3\n", "4\n", "5\n"]);
  });

  it("fails with what its receiver throws", async () => {
    const failing = copy(() => {
      throw new RangeError("not this row");
    });
    await expect(failing).rejects.toThrow("not this row");
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  });

  it("fails with the server's refusal, and when its connection is cut", async () => {
    const refused = sql.begin((tx) => tx.copyOut("copy nothing to stdout", () => undefined));
    await expect(refused).rejects.toMatchObject({ code: "42P01" });
    const cut = sql.begin(async (tx) => {
      await Promise.all([
        tx.copyOut("copy (select pg_sleep(60)) to stdout", () => undefined),
        cutAll(),
      ]);
    });
    await expect(cut).rejects.toBeInstanceOf(PostgresUnavailable);
  });
});
