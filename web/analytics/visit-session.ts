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

export type Arrival = {
  page: string;
  referrer: string | undefined;
  utm: StartBody["utm"];
};

export type ConsentStatus = "granted" | "refused" | "undecided";

export type Decision = {
  consent: ConsentStatus;
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
 * The visit session and its ids. Without consent they stay in memory, and after a refusal there are
 * none; with consent they are also stored. Calls throw when there is no answer.
 */
export class VisitSession {
  readonly #options: VisitSessionOptions;
  /** Nothing about the visitor is sent. */
  #refused = false;
  #granted = false;
  #acknowledged = false;
  /** The ids are those of another tab, which stores them when its consent is acknowledged. */
  #shared = false;
  #anonymousId: string | undefined;
  #session: StoredVisitSession | undefined;
  /** Counts renewals, so that a late answer to an earlier start is not used. */
  #renewals = 0;

  constructor(options: VisitSessionOptions) {
    this.#options = options;
  }

  /** Reads stored ids, or removes them where they are not allowed. */
  open(consent: ConsentStatus): void {
    this.apply(consent);
    this.#granted = consent === "granted";
    if (!this.#granted) return;
    this.#anonymousId = this.#options.identity.readAnonymousId();
    if (this.#anonymousId === undefined) return;
    this.#session = this.#options.identity.readVisitSession(this.#options.now());
    this.#acknowledged = this.#session !== undefined;
  }

  /**
   * Applies a decision to what is sent and stored from now on. Without consent stored ids are
   * removed, and later answers to earlier calls store nothing.
   */
  apply(consent: ConsentStatus): void {
    this.#refused = consent === "refused";
    // A session without ids cannot be continued under consent.
    if (!this.#refused && this.#anonymousId === undefined) this.renew();
    if (consent === "granted") return;
    this.#granted = false;
    this.#options.identity.forget();
  }

  get sessionId(): string | undefined {
    return this.#session?.sessionId;
  }

  /**
   * Starts the session and sends its consent if needed. Undefined if refused.
   * @param beganMs when the visit began, for a start that is late, in milliseconds since 1970
   */
  async ensure(beganMs?: number): Promise<string | undefined> {
    const now = this.#options.now();
    if (this.#session && hasExpired(this.#session.lastActiveMs, now)) this.drop();
    this.#session ??= await this.#start(beganMs);
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
    if ((await this.ensure()) === undefined) return false;
    const granted = decision.consent === "granted";
    const notice = await decision.notice;
    if (!(await this.#sendConsent({ granted, method: decision.method, notice }))) return false;
    this.#granted = granted;
    if (granted) this.#keep();
    return true;
  }

  /** Starts again with new ids, so that earlier and later data cannot be joined. */
  renew(): void {
    const anonymous = this.#session !== undefined && this.#anonymousId === undefined;
    if (anonymous && this.#refused) return;
    this.#renewals += 1;
    this.#shared = false;
    this.#anonymousId = undefined;
    this.drop();
  }

  /** Starts again with the ids that another tab stores under its consent. */
  join(): void {
    this.renew();
    this.#shared = true;
    this.#granted = true;
  }

  async #start(occurredAt?: number): Promise<StoredVisitSession | undefined> {
    const [refused, renewals] = [this.#refused, this.#renewals];
    const { page, ...origin } = this.#options.arrival();
    this.#anonymousId = refused ? undefined : this.#idForStart();
    if (!refused && this.#anonymousId === undefined) return undefined;
    const body: StartBody = refused
      ? { landingPage: page }
      : {
          anonymousId: this.#anonymousId,
          ...origin,
          landingPage: page,
          consentPending: true,
          deviceTime: this.#options.now(),
          occurredAt,
        };
    const headers = refused ? {} : this.#options.deviceHeaders();
    const answer = await this.#options.api.call(`POST ${paths.sessionStart}`, { body, headers });
    const started = answer.ok ? parseStarted(answer.answer) : undefined;
    if (started === undefined || renewals !== this.#renewals) return undefined;
    if (!refused) this.#anonymousId = started.anonymousId;
    this.#session = { sessionId: started.sessionId, lastActiveMs: this.#options.now() };
    this.#keep();
    return this.#session;
  }

  /** Undefined while another tab has not stored its id. */
  #idForStart(): string | undefined {
    if (this.#anonymousId !== undefined) return this.#anonymousId;
    if (this.#shared) return this.#options.identity.readAnonymousId();
    return newAnonymousId(this.#options.now());
  }

  async #sendConsent(
    consent: { granted: boolean } & Pick<ConsentBody, "method" | "notice">,
  ): Promise<boolean> {
    const sessionId = this.#session?.sessionId;
    if (sessionId === undefined) return false;
    const { granted, ...details } = consent;
    const answer = await this.#options.api.call(`POST ${paths.sessionConsent}`, {
      body: {
        sessionId,
        hasConsent: granted,
        consentType: granted ? "detailed" : "none",
        ...details,
      } satisfies ConsentBody,
      headers: granted ? this.#options.deviceHeaders() : {},
      keepalive: true,
    });
    if (answer.status === 404) this.drop();
    if (!answer.ok || this.#session?.sessionId !== sessionId) return false;
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
