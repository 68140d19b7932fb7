import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import { z } from "zod";

import type { Engine } from "./engine.ts";
import { stringLiteral } from "./literals.ts";
import type { Summary } from "./query-response.ts";
import { tokensOf } from "./sql-tokens.ts";

const MARK = "statement:";
const REPEAT_MS = 50;

/**
 * One statement's way of being stopped. The addon can't interrupt a query and gives it no identity,
 * so the statement carries a mark in a comment, by which it is found among the running ones.
 */
export class Cancellation {
  readonly #engine: Engine;
  readonly #id = randomUUID();
  readonly #queryId: string;
  readonly #controller = new AbortController();
  #settled = false;

  /** @param queryId the client's name of the statement */
  constructor(engine: Engine, queryId: string) {
    this.#engine = engine;
    this.#queryId = queryId;
  }

  /** The comment to be put into the statement. */
  get comment(): string {
    return `/*${MARK}${this.#id}:${Buffer.from(this.#queryId).toString("hex")}*/`;
  }

  /** Finds the statement in `system.processes`; itself it must not contain the mark. */
  get #condition(): string {
    return `position(query, concat(${stringLiteral(MARK)}, ${stringLiteral(this.#id)})) > 0`;
  }

  /** How far the statement has come; undefined when it does not run. */
  async progress(): Promise<Summary | undefined> {
    const connection = this.#engine.connect();
    try {
      const columns = "read_rows, read_bytes, total_rows_approx AS total_rows_to_read";
      const sql = `SELECT ${columns} FROM system.processes WHERE ${this.#condition}`;
      const { bytes } = await connection.query(sql, "JSONEachRow");
      const text = Buffer.from(bytes).toString("utf8").split("\n")[0] ?? "";
      return text === "" ? undefined : Progress.parse(JSON.parse(text));
    } finally {
      connection.close();
    }
  }

  /** Aborted as soon as the client no longer waits for the result. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The engine has finished with the statement. */
  settle(): void {
    this.#settled = true;
  }

  /**
   * Gives the statement up: if it has not begun, it never will.
   * @param kill whether to stop it in the engine, too; then resolves when it has ended
   */
  async cancel(kill: boolean): Promise<void> {
    this.#controller.abort();
    if (this.#settled || !kill) return;
    const connection = this.#engine.connect();
    try {
      // Not SYNC: that waits for an entry which stays until its connection's next query. In two
      // Repeated: it may be about to begin.
      const isPending = (): boolean => !this.#settled;
      while (isPending()) {
        await connection.query(`KILL QUERY WHERE ${this.#condition} ASYNC`);
        if (isPending()) await delay(REPEAT_MS);
      }
    } finally {
      connection.close();
    }
  }
}

const Count = z.coerce.number();
const Progress = z.object({ read_rows: Count, read_bytes: Count, total_rows_to_read: Count });

/**
 * A KILL QUERY as the engine has to execute it: for it `query_id` is a name of its own, and waiting
 * until the query has ended would wait for ever.
 */
export function killStatement(sql: string): string {
  const queryId = `unhex(extract(query, '${MARK}[0-9a-f-]{36}:([0-9a-f]*)'))`;
  const parts: string[] = [];
  let at = 0;
  for (const { text, start, end } of tokensOf(sql)) {
    const isName = text === "QUERY_ID" || /^[`"]query_id[`"]$/.test(sql.slice(start, end));
    if (!isName && text !== "SYNC") continue;
    parts.push(sql.slice(at, start), isName ? queryId : "ASYNC");
    at = end;
  }
  return parts.join("") + sql.slice(at);
}
