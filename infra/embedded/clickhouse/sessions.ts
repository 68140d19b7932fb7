import { refusal } from "./engine-error.ts";
import type { EngineConnection } from "./engine.ts";

/** Of a request with `session_id`. */
export type SessionOptions = { id: string; timeoutSeconds: number; mustExist: boolean };

type Session = { connection: EngineConnection; busy: boolean; timer: NodeJS.Timeout | undefined };

const SESSIONS_MAX = 100;

/** Connections that are kept between requests, with their temporary tables. One request of a session at a time. */
export class Sessions {
  readonly #open = new Map<string, Session>();

  /**
   * @param key of the session and its user
   * @throws {EngineError} 373 while another request uses the session, 372 when it has to exist and does not
   */
  take(
    key: string,
    { mustExist }: SessionOptions,
    connect: () => EngineConnection,
  ): EngineConnection {
    const known = this.#open.get(key);
    if (known === undefined && mustExist) {
      throw refusal("SESSION_NOT_FOUND", "The session does not exist or has timed out.");
    }
    if (known?.busy === true) throw refusal("SESSION_IS_LOCKED", "The session is in use.");
    if (known === undefined && this.#open.size >= SESSIONS_MAX) {
      throw refusal(
        "TOO_MANY_SIMULTANEOUS_QUERIES",
        `Too many sessions. Maximum: ${SESSIONS_MAX}.`,
      );
    }
    clearTimeout(known?.timer);
    const session = known ?? { connection: connect(), busy: true, timer: undefined };
    session.busy = true;
    this.#open.set(key, session);
    return session.connection;
  }

  /** Keeps the session for its time. */
  giveBack(key: string, { timeoutSeconds }: SessionOptions): void {
    const session = this.#open.get(key);
    if (session === undefined) return;
    session.busy = false;
    session.timer = setTimeout(() => this.#end(key), timeoutSeconds * 1000);
    session.timer.unref();
  }

  #end(key: string): void {
    const session = this.#open.get(key);
    this.#open.delete(key);
    clearTimeout(session?.timer);
    session?.connection.close();
  }

  /** When no statement runs. */
  endAll(): void {
    for (const key of this.#open.keys()) this.#end(key);
  }
}
