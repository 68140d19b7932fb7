import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import type { Engine } from "./engine.ts";
import { stringLiteral } from "./literals.ts";

const MARK = "statement:";
const REPEAT_MS = 50;

/**
 * One statement's way of being stopped. The addon can't interrupt a query and gives it no identity,
 * so the statement carries a mark in a comment, by which it is found among the running ones.
 */
export class Cancellation {
  readonly #engine: Engine;
  readonly #id = randomUUID();
  readonly #controller = new AbortController();
  #settled = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The comment to be put into the statement. */
  get comment(): string {
    return `/*${MARK}${this.#id}*/`;
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
      // halves: the mark must not be found in this statement. Repeated: it may be about to begin.
      const mark = `concat(${stringLiteral(MARK)}, ${stringLiteral(this.#id)})`;
      const isPending = (): boolean => !this.#settled;
      while (isPending()) {
        await connection.query(`KILL QUERY WHERE position(query, ${mark}) > 0 ASYNC`);
        if (isPending()) await delay(REPEAT_MS);
      }
    } finally {
      connection.close();
    }
  }
}
