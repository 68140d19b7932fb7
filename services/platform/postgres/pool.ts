import pg from "pg";

import { inPartSpan } from "../tracing/spans.ts";
import { copyOut, type OnCopied } from "./copy-out.ts";
import { Identifier, type Prepared, type Result, type SqlValue, Statement } from "./statement.ts";
import { unavailableOr } from "./unavailable.ts";

/** Statements as template literals: values become parameters, `sql("name")` a quoted name. */
export type Queryable = {
  <Rows extends readonly object[] = Record<string, unknown>[]>(
    text: TemplateStringsArray,
    ...values: SqlValue[]
  ): Statement<Rows>;
  (name: string): Identifier;
  /** Runs text as it is: no parameters, several statements if need be. */
  readonly unsafe: (text: string) => Promise<Result<Record<string, unknown>[]>>;
};

export type Sql = Queryable & {
  readonly options: { readonly max: number };
  /** One transaction on one connection; rolled back when `work` throws. */
  readonly begin: Begin;
  readonly hold: Hold;
  /** Waits for running statements, then closes all connections. */
  readonly end: () => Promise<void>;
};

/** What one transaction offers beside statements. */
export type Transaction = Queryable & {
  /**
   * Runs `copy … to stdout` and passes each row on while it arrives.
   * @throws whatever `onCopied` throws, after the statement's end
   */
  readonly copyOut: (text: string, onCopied: OnCopied) => Promise<void>;
};

type Work<Outcome> = (tx: Transaction) => Promise<Outcome>;
type Begin = {
  <Outcome>(work: Work<Outcome>): Promise<Outcome>;
  <Outcome>(mode: string, work: Work<Outcome>): Promise<Outcome>;
};

/**
 * One connection without a transaction: statements run on it one after the other, each with a snapshot of its own.
 * `connection` is the same object each time the connection is held. It is used no more when `work` throws.
 */
type Hold = <Outcome>(
  work: (sql: Queryable, connection: object) => Promise<Outcome>,
) => Promise<Outcome>;

type QueryAnswer = pg.QueryResult<Record<string, unknown>>;
type Runner = (query: pg.QueryConfig) => Promise<QueryAnswer | QueryAnswer[]>;

const int8 = 20;
/** Of a statement, in the span of its run. */
const statementCharsMax = 300;
const ignore = (): void => undefined;

/**
 * A pool of Postgres connections. A connection that is cut fails the statement that was on it with
 * PostgresUnavailable and is replaced; no statement is left without an answer. `bigint` arrives as
 * a number: ledger positions stay far below 2^53. Notices are dropped: they may quote row values.
 */
export function openPool(
  url: string,
  options: {
    applicationName: string;
    max?: number;
    /** After which a statement is given up on, so that a dead network path is noticed. */
    statementSecondsMax?: number;
    /** How long a connection is waited for. */
    connectSecondsMax?: number;
    /**
     * Every statement finds its rows by key. A plan that was kept from when a table was empty would scan it
     * whole once it has grown, until the database analyses it.
     */
    byKey?: boolean;
  },
): Sql {
  const max = options.max ?? 8;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: options.applicationName,
    max,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: (options.connectSecondsMax ?? 5) * 1000,
    keepAlive: true,
    ...(options.byKey === true && {
      options: "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off",
    }),
    query_timeout: (options.statementSecondsMax ?? 30) * 1000,
    types: { getTypeParser: (oid, format) => parserOf(oid, format) },
  });
  // An idle connection was cut: the pool has dropped it already, and no caller waits for it.
  pool.on("error", ignore);
  return Object.assign(
    queryable((query) => pool.query(query)),
    {
      options: { max },
      begin: beginOn(pool),
      hold: holdOn(pool),
      end: () => pool.end(),
    },
  );
}

function parserOf(oid: number, format?: "text" | "binary"): (text: string) => unknown {
  if (oid === int8) return Number;
  const parse: unknown = pg.types.getTypeParser(oid, format ?? "text");
  if (typeof parse !== "function") throw new TypeError(`No parser for type ${oid}`);
  return (text) => {
    const value: unknown = Reflect.apply(parse, undefined, [text]);
    return value;
  };
}

function queryable(run: Runner): Queryable {
  async function execute<Rows extends readonly object[]>(
    query: pg.QueryConfig,
  ): Promise<Result<Rows>> {
    try {
      const answer: QueryAnswer | QueryAnswer[] = await run(query);
      // Several statements in one text have several results; the last one counts.
      const last = Array.isArray(answer) ? answer.at(-1) : answer;
      const rows = last?.rows ?? [];
      // Not enumerable, so that rows compare equal to plain arrays.
      const counted: unknown = Object.defineProperty(rows, "count", { value: last?.rowCount ?? 0 });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a statement's rows have the type its author gives them; the driver knows none
      return counted as Result<Rows>;
    } catch (error) {
      throw unavailableOr(error);
    }
  }
  /** Statements of templates alone: their text has placeholders where values were given. */
  const traced = <Rows extends readonly object[]>(query: pg.QueryConfig): Promise<Result<Rows>> => {
    const text = query.text.replaceAll(/\s+/g, " ").trim().slice(0, statementCharsMax);
    const fields = { "db.system.name": "postgresql", "db.query.text": text };
    return inPartSpan("postgres", { kind: "client", fields }, () => execute<Rows>(query));
  };
  function sql(
    text: TemplateStringsArray | string,
    ...values: SqlValue[]
  ): Statement<readonly object[]> | Identifier {
    return typeof text === "string"
      ? new Identifier(text)
      : new Statement(text, values, (prepared) => traced(named(prepared)));
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two forms of a call, which one signature cannot distinguish
  return Object.assign(sql, { unsafe: (text: string) => execute({ text }) }) as Queryable;
}

/** Names of prepared statements: the same text has the same name on every connection. */
const names = new Map<string, string>();

function named({ text, values }: Prepared): pg.QueryConfig {
  const name = names.get(text) ?? `s${names.size}`;
  names.set(text, name);
  return { name, text, values: [...values] };
}

async function connectedClient(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unavailableOr(error);
  });
  // A cut connection fails the statement that meets it; the event adds nothing.
  return client.on("error", ignore);
}

function holdOn(pool: pg.Pool): Hold {
  return async (work) => {
    const client = await connectedClient(pool);
    let before: Promise<unknown> = Promise.resolve();
    const inTurn: Runner = (query) => {
      const answer = before.then(() => client.query<Record<string, unknown>>(query));
      before = answer.catch(ignore);
      return answer;
    };
    try {
      const outcome = await work(queryable(inTurn), client);
      client.off("error", ignore);
      client.release();
      return outcome;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
}

function beginOn(pool: pg.Pool): Begin {
  return async <Outcome>(
    ...[modeOrWork, maybeWork]: [Work<Outcome>] | [string, Work<Outcome>]
  ): Promise<Outcome> => {
    const mode = typeof modeOrWork === "string" ? modeOrWork : "";
    const work = typeof modeOrWork === "string" ? maybeWork : modeOrWork;
    if (work === undefined) throw new TypeError("A transaction needs work to do");
    const client = await connectedClient(pool);
    const connection = { isLost: false };
    const tx: Transaction = Object.assign(
      queryable((query) =>
        client.query(query).catch((error: unknown) => {
          // A fatal error ends the session.
          connection.isLost ||= !(error instanceof pg.DatabaseError) || error.severity === "FATAL";
          throw error;
        }),
      ),
      {
        copyOut: (text: string, onCopied: OnCopied) => copyOut(client, text, onCopied),
      },
    );
    try {
      await tx.unsafe(`begin ${mode}`);
      const outcome = await work(tx);
      await tx.unsafe("commit");
      client.off("error", ignore);
      client.release();
      return outcome;
    } catch (error) {
      // Before the caller continues: its next attempt must not meet this one's locks. A connection that
      // is lost is rolled back by the server; the error may be about another one.
      if (!connection.isLost) await tx.unsafe("rollback").catch(ignore);
      // Used no more: the work may have left statements on it that no caller waits for.
      client.release(true);
      throw error;
    }
  };
}
