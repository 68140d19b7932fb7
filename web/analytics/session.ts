import type { ApiClient } from "../api-client/request.ts";
import {
  type ConsentBody,
  type Notice,
  parseReceiptId,
  parseStarted,
  paths,
  type StartBody,
} from "./calls.ts";
import { newAnonymousId } from "./event-id.ts";
import { hasExpired, type IdentityStore, type Session } from "./identity-store.ts";
import type { PrivacySignal } from "./privacy-signal.ts";

export type Arrival = {
  page: string;
  referrer: string | undefined;
  utm: StartBody["utm"];
};

export type Decision = {
  granted: boolean;
  method: NonNullable<ConsentBody["method"]>;
  /** The text that the visitor saw; undefined where its hash cannot be computed. */
  notice: Promise<Notice | undefined>;
};

export type SessionOptions = {
  api: ApiClient;
  identity: IdentityStore;
  now: () => number;
  arrival: () => Arrival;
  deviceHeaders: () => Record<string, string>;
  onReceipt: (receiptId: string) => void;
};

/**
 * The session with the collector and the ids that belong to it. Without consent they live here, in
 * memory; with consent they are also kept in storage. Calls throw where nothing answers.
 */
export class VisitSession {
  readonly #options: SessionOptions;
  #signal: PrivacySignal | undefined;
  #granted = false;
  /** Whether the collector has acknowledged the consent for the current session. */
  #told = false;
  #anonymousId: string | undefined;
  #session: Session | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Takes over what storage may hold, or removes it where it must not be there. */
  open(state: { granted: boolean; signal: PrivacySignal | undefined }): void {
    const now = this.#options.now();
    this.#signal = state.signal;
    this.#granted = state.granted && state.signal === undefined;
    if (!this.#granted) {
      this.#options.identity.forget();
      return;
    }
    this.#anonymousId = this.#options.identity.readAnonymousId();
    if (this.#anonymousId === undefined) return;
    this.#session = this.#options.identity.readSession(now);
    this.#told = this.#session !== undefined;
  }

  get sessionId(): string | undefined {
    return this.#session?.sessionId;
  }

  /** The session to report to: started, and its consent acknowledged. Undefined if refused. */
  async ensure(): Promise<string | undefined> {
    const now = this.#options.now();
    if (this.#session && hasExpired(this.#session.lastActiveMs, now)) this.drop();
    this.#session ??= await this.#start();
    if (this.#session === undefined) return undefined;
    if (this.#granted && !this.#told && !(await this.#tell({ granted: true }))) return undefined;
    return this.#session.sessionId;
  }

  /** Counts as activity; a consenting visitor's ids are kept. */
  touch(): void {
    if (this.#session === undefined) return;
    this.#session = { ...this.#session, lastActiveMs: this.#options.now() };
    this.#keep();
  }

  /** The session is over or unknown to the collector; the next report starts another. */
  drop(): void {
    this.#session = undefined;
    this.#told = false;
  }

  /**
   * Tells the collector what was decided; later reports are judged by it.
   * @returns whether it was acknowledged
   */
  async decide(decision: Decision): Promise<boolean> {
    if (!decision.granted) this.forget();
    if ((await this.ensure()) === undefined) return false;
    const notice = await decision.notice;
    const details = { method: decision.method, ...(notice === undefined ? {} : { notice }) };
    if (!(await this.#tell({ granted: decision.granted, ...details }))) return false;
    this.#granted = decision.granted;
    if (decision.granted) this.#keep();
    return true;
  }

  /** Nothing is kept from now on, also when answers to earlier calls still arrive. */
  forget(): void {
    this.#granted = false;
    this.#options.identity.forget();
  }

  /** Cuts the tie between what was before and what comes: new ids, nothing stored. */
  renew(): void {
    this.drop();
    this.forget();
    this.#anonymousId = undefined;
  }

  async #start(): Promise<Session | undefined> {
    const arrival = this.#options.arrival();
    const unmeasured = this.#signal !== undefined;
    if (!unmeasured) this.#anonymousId ??= newAnonymousId(this.#options.now());
    const body: StartBody = unmeasured
      ? { landingPage: arrival.page }
      : {
          anonymousId: this.#anonymousId,
          referrer: arrival.referrer,
          landingPage: arrival.page,
          utm: arrival.utm,
        };
    const headers = unmeasured ? {} : this.#options.deviceHeaders();
    const answer = await this.#options.api.post(paths.sessionStart, { body, headers });
    const started = answer.ok ? parseStarted(answer.body) : undefined;
    if (started === undefined) return undefined;
    if (!unmeasured) this.#anonymousId = started.anonymousId;
    this.#session = { sessionId: started.sessionId, lastActiveMs: this.#options.now() };
    this.#keep();
    return this.#session;
  }

  async #tell(
    consent: { granted: boolean } & Pick<ConsentBody, "method" | "notice">,
  ): Promise<boolean> {
    if (this.#session === undefined) return false;
    const { granted, ...details } = consent;
    const answer = await this.#options.api.post(paths.sessionConsent, {
      body: {
        sessionId: this.#session.sessionId,
        hasConsent: granted,
        consentType: granted ? "detailed" : "none",
        ...details,
      } satisfies ConsentBody,
      headers: granted ? this.#options.deviceHeaders() : {},
      keepalive: true,
    });
    if (answer.status === 404) this.drop();
    if (!answer.ok) return false;
    this.#told = granted;
    const receiptId = parseReceiptId(answer.body);
    if (receiptId !== undefined) this.#options.onReceipt(receiptId);
    return true;
  }

  #keep(): void {
    if (!this.#granted || this.#anonymousId === undefined) return;
    this.#options.identity.keep(this.#anonymousId, this.#session);
  }
}
