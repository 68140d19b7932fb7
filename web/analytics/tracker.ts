import { type ConsentBody, type EventBody, paths } from "./calls.ts";
import { debugLog } from "./debug-log.ts";
import { backoffMs, type DeliveryOutcome, DeliveryQueue } from "./delivery-queue.ts";
import type { PrivacySignal } from "./privacy-signal.ts";
import {
  type Click,
  clickReport,
  endReport,
  eventReport,
  type PageView,
  pageViewReport,
  type Report,
} from "./reports.ts";
import {
  type ConsentStatus,
  type Decision,
  VisitSession,
  type VisitSessionOptions,
} from "./visit-session.ts";

export type TrackerOptions = VisitSessionOptions & {
  /** Sends a last report through the browser, also after the page is closed. */
  beacon: (path: string, body: object) => boolean;
  /** Pause before a repeated delivery, in milliseconds. Set by tests. */
  pauseMs?: (attempt: number) => number;
};

type Task =
  | { kind: "report"; report: Report }
  | { kind: "decision"; decision: Decision }
  | { kind: "start" };

const waitingMax = 50;
const attemptsMax = 8;

/** A report that is made when the visitor has decided. */
type Waiting = (consented: boolean) => Report;

/**
 * The browser's client of the collector. Reports go out in order; failures are only logged
 * (specification §8). Before `start` nothing is sent. Until the visitor has decided, reports wait in
 * memory: consent stores them once in detail, a refusal or the end of the visit counts them by page.
 * After a refusal and under a privacy signal nothing identifies the visitor.
 */
export class Tracker {
  readonly #options: TrackerOptions;
  readonly #session: VisitSession;
  readonly #queue: DeliveryQueue<Task>;
  #started = false;
  #consent: ConsentStatus = "undecided";
  #signal: PrivacySignal | undefined;
  #undecided: Waiting[] = [];
  #currentView: PageView | undefined;
  #ended = false;

  constructor(options: TrackerOptions) {
    this.#options = options;
    this.#session = new VisitSession(options);
    this.#queue = new DeliveryQueue<Task>({
      deliver: (task) => this.#deliver(task),
      onDrop: (task, why) => this.#giveUp(task, why),
      limit: waitingMax,
      attempts: attemptsMax,
      pauseMs: options.pauseMs ?? backoffMs,
    });
  }

  /** Takes the consent at the start of the page, once. The first report starts the session. */
  start(state: { consent: ConsentStatus; signal: PrivacySignal | undefined }): void {
    if (this.#started) return;
    this.#started = true;
    this.#signal = state.signal;
    this.#consent = state.consent;
    this.#session.open(state.consent);
    this.#release();
  }

  pageView(view: PageView): void {
    this.#currentView = view;
    const at = this.#options.now();
    this.#add((consented) => pageViewReport(view, consented, at));
  }

  click(click: Click): void {
    if (this.#signal !== undefined) return;
    const at = this.#options.now();
    // Place and element are sent only of clicks under consent (specification §5).
    const detailed = this.#consent === "granted";
    this.#add(() => clickReport(click, detailed, at));
  }

  event(eventType: string, eventData?: EventBody["eventData"]): void {
    if (this.#consent !== "granted") return;
    const report = eventReport(eventType, eventData, this.#options.now());
    this.#add(() => report);
  }

  get consented(): boolean {
    return this.#consent === "granted";
  }

  /** A decision on this page. A refusal removes stored ids and waiting details at once. */
  decide(decision: Decision): void {
    if (!this.#started || this.#signal !== undefined) return;
    const before = this.#consent;
    this.#consent = decision.consent;
    this.#apply();
    // The reset of a refusal changes nothing for the collector.
    if (decision.consent !== "undecided" || before === "granted") {
      this.#queue.push({ kind: "decision", decision });
    }
    this.#release();
  }

  /** A decision in another tab, which has sent it: this visit continues under the visitor's ids. */
  follow(consent: ConsentStatus): void {
    if (!this.#started || this.#signal !== undefined || consent === this.#consent) return;
    this.#consent = consent;
    this.#apply();
    if (consent === "granted") this.#session.join();
    else this.#session.renew();
    this.#release();
  }

  /** Sends the waiting reports and the end of the session, once, when the page closes. */
  end(exitPage: string): void {
    if (this.#ended || !this.#started) return;
    this.#ended = true;
    const underWay = this.#queue.underWay;
    const waiting = this.#queue.withdraw(() => true);
    const sessionId = this.#session.sessionId;
    if (sessionId === undefined) return;
    // The call under way outlives the page; only a report with an event id may be repeated.
    const again = underWay?.kind === "report" && underWay.report.identified ? [underWay] : [];
    for (const task of [...again, ...waiting]) this.#handOver(task, sessionId);
    if (this.#signal !== undefined) return;
    const uncounted = this.#undecided.splice(0).map((report) => report(false));
    const last = endReport(exitPage, this.#consent, this.#options.now());
    for (const report of [...uncounted, last]) this.#beacon(report, sessionId);
    // Counted now: a visitor who returns and accepts starts another visit.
    if (this.#consent === "undecided") this.#session.renew();
  }

  /** Continues the visit of a page restored from the browser's cache, or starts a new one. */
  resume(): void {
    if (!this.#ended) return;
    this.#ended = false;
    if (this.#consent === "undecided" && this.#currentView) this.pageView(this.#currentView);
  }

  retryNow(): void {
    this.#queue.wake();
  }

  #add(report: Waiting): void {
    if (this.#started && this.#consent !== "undecided") {
      this.#queue.push({ kind: "report", report: report(this.#consent === "granted") });
      return;
    }
    this.#undecided.push(report);
    if (this.#undecided.length > waitingMax) this.#undecided.shift();
    // The session is needed when the visit ends.
    if (this.#started) this.#queue.push({ kind: "start" });
  }

  #release(): void {
    for (const report of this.#undecided.splice(0)) this.#add(report);
  }

  #apply(): void {
    this.#session.apply(this.#consent);
    if (this.#consent === "granted") return;
    this.#queue.withdraw((task) => task.kind === "report" && task.report.identified);
  }

  #beacon(report: Report, sessionId: string): void {
    this.#options.beacon(report.path, report.body(sessionId));
  }

  #handOver(task: Task, sessionId: string): void {
    if (task.kind === "report") this.#beacon(task.report, sessionId);
    // A grant is sent again on the next visit; a refusal is not, because its ids are removed.
    if (task.kind !== "decision" || task.decision.consent === "granted") return;
    const refusal = {
      hasConsent: false,
      consentType: "none",
      method: task.decision.method,
    } as const;
    this.#options.beacon(paths.sessionConsent, { sessionId, ...refusal } satisfies ConsentBody);
  }

  #giveUp(task: Task, why: string): void {
    debugLog("given up", { task: describe(task), why });
    // Nothing more is sent under the old ids, even if the refusal did not arrive.
    if (task.kind === "decision") this.#renewAfter(task.decision);
  }

  async #deliver(task: Task): Promise<DeliveryOutcome> {
    // A refusal came while the report waited to be sent again.
    if (task.kind === "report" && task.report.identified && !this.consented) return "drop";
    try {
      if (task.kind === "decision") return await this.#deliverDecision(task.decision);
      if ((await this.#session.ensure()) === undefined) return "retry";
    } catch (error) {
      debugLog("nothing answered", { task: describe(task), error: nameOf(error) });
      return "retry";
    }
    return task.kind === "report" ? this.#deliverReport(task.report) : "done";
  }

  async #deliverDecision(decision: Decision): Promise<DeliveryOutcome> {
    if (!(await this.#session.decide(decision))) return "retry";
    this.#renewAfter(decision);
    return "done";
  }

  /** What follows a refusal has other ids, unless consent was given meanwhile. */
  #renewAfter({ consent }: Decision): void {
    if (consent !== "granted" && this.#consent !== "granted") this.#session.renew();
  }

  async #deliverReport(report: Report): Promise<DeliveryOutcome> {
    const sessionId = this.#session.sessionId;
    if (sessionId === undefined) return "retry";
    try {
      const body = report.body(sessionId);
      const answer = await this.#options.api.call(`POST ${report.path}`, { body, keepalive: true });
      if (answer.ok) this.#session.touch();
      if (answer.status === 404) this.#session.drop();
      return judge(answer, report);
    } catch (error) {
      debugLog("nothing answered", { task: report.path, error: nameOf(error) });
      // It may have arrived: repeat only what cannot be counted twice.
      return report.identified ? "retry" : "drop";
    }
  }
}

function judge(answer: { ok: boolean; status: number }, report: Report): DeliveryOutcome {
  if (answer.ok) return "done";
  debugLog("refused", { task: report.path, status: answer.status });
  // Unknown session, rate limit or collector unavailable: not accepted.
  if (answer.status === 404 || answer.status === 429 || answer.status === 503) return "retry";
  return answer.status >= 500 && report.identified ? "retry" : "drop";
}

const describe = (task: Task): string => (task.kind === "report" ? task.report.path : task.kind);
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
