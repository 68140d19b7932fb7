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
import { hasExpired, type IdentityStore, type StoredVisitSession } from "./identity-store.ts";
import type { PrivacySignal } from "./privacy-signal.ts";

export type Arrival = {
  page: string;
  referrer: string | undefined;
  utm: StartBody["utm"];
};

export type Decision = {
  granted: boolean;
  method: NonNullable<ConsentBody["method"]>;
  /** The text that was shown; undefined where its hash cannot be computed. */
  notice: Promise<Notice | undefined>;
};

export type VisitSessionOptions = {
  api: ApiClient;
  identity: IdentityStore;
  now: () => number;
  arrival: () => Arrival;
  deviceHeaders: () => Record<string, string>;
  onReceipt: (receiptId: string) => void;
};

/**
 * The visit session and its ids. Without consent they stay in memory; with consent they are also
 * stored. Calls throw when there is no answer.
 */
export class VisitSession {
  readonly #options: VisitSessionOptions;
  #signal: PrivacySignal | undefined;
  #granted = false;
  #acknowledged = false;
  #anonymousId: string | undefined;
  #session: StoredVisitSession | undefined;

  constructor(options: VisitSessionOptions) {
    this.#options = options;
  }

  /** Reads stored ids, or removes them where they are not allowed. */
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
    this.#session = this.#options.identity.readVisitSession(now);
    this.#acknowledged = this.#session !== undefined;
  }

  get sessionId(): string | undefined {
    return this.#session?.sessionId;
  }

  /** Starts the session and sends its consent if needed. Undefined if refused. */
  async ensure(): Promise<string | undefined> {
    const now = this.#options.now();
    if (this.#session && hasExpired(this.#session.lastActiveMs, now)) this.drop();
    this.#session ??= await this.#start();
    if (this.#session === undefined) return undefined;
    if (this.#granted && !this.#acknowledged && !(await this.#sendConsent({ granted: true })))
      return undefined;
    return this.#session.sessionId;
  }

  /** Records activity and stores a consenting visitor's ids. */
  touch(): void {
    if (this.#session === undefined) return;
    this.#session = { ...this.#session, lastActiveMs: this.#options.now() };
    this.#keep();
  }

  /** Ends the session; the next report starts another. */
  drop(): void {
    this.#session = undefined;
    this.#acknowledged = false;
  }

  /**
   * Sends the decision to the collector.
   * @returns whether it was acknowledged
   */
  async decide(decision: Decision): Promise<boolean> {
    if (!decision.granted) this.forget();
    if ((await this.ensure()) === undefined) return false;
    const notice = await decision.notice;
    const details = { method: decision.method, ...(notice === undefined ? {} : { notice }) };
    if (!(await this.#sendConsent({ granted: decision.granted, ...details }))) return false;
    this.#granted = decision.granted;
    if (decision.granted) this.#keep();
    return true;
  }

  /** Removes stored ids. Later answers to earlier calls store nothing. */
  forget(): void {
    this.#granted = false;
    this.#options.identity.forget();
  }

  /** Starts again with new ids, so that earlier and later data cannot be joined. */
  renew(): void {
    this.drop();
    this.forget();
    this.#anonymousId = undefined;
  }

  async #start(): Promise<StoredVisitSession | undefined> {
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
    const answer = await this.#options.api.call(`POST ${paths.sessionStart}`, { body, headers });
    const started = answer.ok ? parseStarted(answer.answer) : undefined;
    if (started === undefined) return undefined;
    if (!unmeasured) this.#anonymousId = started.anonymousId;
    this.#session = { sessionId: started.sessionId, lastActiveMs: this.#options.now() };
    this.#keep();
    return this.#session;
  }

  async #sendConsent(
    consent: { granted: boolean } & Pick<ConsentBody, "method" | "notice">,
  ): Promise<boolean> {
    if (this.#session === undefined) return false;
    const { granted, ...details } = consent;
    const answer = await this.#options.api.call(`POST ${paths.sessionConsent}`, {
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
    this.#acknowledged = granted;
    const receiptId = parseReceiptId(answer.answer);
    if (receiptId !== undefined) this.#options.onReceipt(receiptId);
    return true;
  }

  #keep(): void {
    if (!this.#granted || this.#anonymousId === undefined) return;
    this.#options.identity.keep(this.#anonymousId, this.#session);
  }
}
