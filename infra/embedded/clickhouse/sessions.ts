import { CODE, refusal } from "./engine-error.ts";
import type { Engine, EngineConnection } from "./engine.ts";
import type { RequestOptions } from "./request-options.ts";

type Session = { connection: EngineConnection; busy: boolean; expiry: NodeJS.Timeout | undefined };

/** A connection for one request. `lasting` when it belongs to a session. */
export type Lease = { connection: EngineConnection; lasting: boolean; release: () => void };

/**
 * Connections by `session_id`. A session keeps temporary tables and SET statements between requests,
 * serves one request at a time and ends when it was idle for its timeout.
 */
export class Sessions {
  readonly #engine: Engine;
  readonly #byId = new Map<string, Session>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * A connection for a request: the session's, or a fresh one that is closed on release.
   * @throws {EngineError} 372 for a session that must exist and does not, 373 for a busy one
   */
  lease(options: RequestOptions): Lease {
    const { sessionId, sessionCheck, sessionTimeout } = options;
    if (sessionId === undefined || sessionId === "") {
      const connection = this.#engine.connect();
      return { connection, lasting: false, release: () => connection.close() };
    }
    const session = this.#find(sessionId, sessionCheck);
    session.busy = true;
    clearTimeout(session.expiry);
    const release = (): void => {
      session.busy = false;
      session.expiry = setTimeout(() => this.#end(sessionId, session), sessionTimeout * 1000);
    };
    return { connection: session.connection, lasting: true, release };
  }

  #find(id: string, mustExist: boolean): Session {
    const known = this.#byId.get(id);
    if (known?.busy === true) {
      throw refusal(
        CODE.sessionIsLocked,
        "SESSION_IS_LOCKED",
        "Session is locked by a concurrent client.",
      );
    }
    if (known !== undefined) return known;
    if (mustExist) throw refusal(CODE.sessionNotFound, "SESSION_NOT_FOUND", "Session not found.");
    const session = { connection: this.#engine.connect(), busy: false, expiry: undefined };
    this.#byId.set(id, session);
    return session;
  }

  #end(id: string, session: Session): void {
    clearTimeout(session.expiry);
    this.#byId.delete(id);
    session.connection.close();
  }

  /** Ends all sessions that no request uses. */
  close(): void {
    for (const [id, session] of this.#byId) if (!session.busy) this.#end(id, session);
  }
}
