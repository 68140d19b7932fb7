import type { ApiClient } from "../api-client/request.ts";
import { type ConsentBody, paths } from "./calls.ts";
import { debugLog } from "./debug-log.ts";
import { backoffMs, type DeliveryOutcome, DeliveryQueue } from "./delivery-queue.ts";
import { newEventId } from "./event-id.ts";
import type { PrivacySignal } from "./privacy-signal.ts";
import {
  type Click,
  clickReport,
  endReport,
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

export type Task =
  | { kind: "report"; report: Report }
  | { kind: "decision"; decision: Decision }
  | { kind: "start"; atMs: number };

/** What is loaded only under consent. */
export type TrackerExtension = {
  /** Consent has ended. */
  end: () => void;
  /** Another page is shown. */
  leave: (page: string) => void;
  /** What is left to report when the page closes. */
  last: (nowMs: number) => readonly Report[];
  /** A report with those that wait behind it, as one call; undefined when there are none. */
  together: (report: Report, queue: DeliveryQueue<Task>) => Batch | undefined;
  inFewCalls: (reports: readonly Report[]) => readonly Report[];
};

export type Batch = {
  report: Report;
  /** Takes from the queue what was accepted, and decides about the first report. */
  settle: (answer: unknown) => DeliveryOutcome;
};

const waitingMax = 500;
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
  extension: TrackerExtension | undefined;
  /** How long the last answer asked to wait. */
  #retryAfterMs = 0;
  readonly #api: ApiClient = {
    call: async (name, input) => {
      const answer = await this.#options.api.call(name, input);
      this.#retryAfterMs = answer.ok ? 0 : (answer.retryAfterMs ?? 0);
      return answer;
    },
  };

  constructor(options: TrackerOptions) {
    this.#options = options;
    this.#session = new VisitSession({ ...options, api: this.#api });
    this.#queue = new DeliveryQueue<Task>({
      deliver: (task) => this.#deliver(task),
      onDrop: (task, why) => this.#giveUp(task, why),
      limit: waitingMax,
      attempts: attemptsMax,
      pauseMs: (attempt) => Math.max(this.#retryAfterMs, (options.pauseMs ?? backoffMs)(attempt)),
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
    this.extension?.leave(view.page);
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

  /** Takes a report that is made only under consent. */
  report(report: (nowMs: number) => Report): void {
    if (this.#consent !== "granted") return;
    const made = report(this.#options.now());
    this.#add(() => made);
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
    const reports = [...again, ...waiting].flatMap((task) => this.#handOver(task, sessionId));
    if (this.#signal === undefined) {
      const now = this.#options.now();
      reports.push(
        ...this.#undecided.splice(0).map((report) => report(false)),
        ...(this.extension?.last(now) ?? []),
        endReport(exitPage, this.#consent, now),
      );
    }
    for (const report of this.extension?.inFewCalls(reports) ?? reports) {
      this.#options.beacon(report.path, report.body(sessionId));
    }
    if (this.#signal !== undefined) return;
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
    if (this.#started) this.#queue.push({ kind: "start", atMs: this.#options.now() });
  }

  #release(): void {
    for (const report of this.#undecided.splice(0)) this.#add(report);
  }

  #apply(): void {
    this.#session.apply(this.#consent);
    if (this.#consent === "granted") return;
    this.extension?.end();
    this.extension = undefined;
    this.#queue.withdraw((task) => task.kind === "report" && task.report.identified);
  }

  /** What is left to be sent of a task, without an answer. */
  #handOver(task: Task, sessionId: string): Report[] {
    if (task.kind === "report") return [task.report];
    // A grant is sent again on the next visit; a refusal is not, because its ids are removed.
    if (task.kind !== "decision" || task.decision.consent === "granted") return [];
    const refusal = {
      hasConsent: false,
      consentType: "none",
      method: task.decision.method,
    } as const;
    this.#options.beacon(paths.sessionConsent, { sessionId, ...refusal } satisfies ConsentBody);
    return [];
  }

  #giveUp(task: Task, why: string): void {
    debugLog("given up", { task: task.kind, why });
    // Nothing more is sent under the old ids, even if the refusal did not arrive.
    if (task.kind === "decision") this.#renewAfter(task.decision);
  }

  async #deliver(task: Task): Promise<DeliveryOutcome> {
    // A refusal came while the report waited to be sent again.
    if (task.kind === "report" && task.report.identified && !this.consented) return "drop";
    try {
      if (task.kind === "decision") return await this.#deliverDecision(task.decision);
      const { atMs } = task.kind === "report" ? task.report : task;
      if ((await this.#session.ensure(atMs)) === undefined) return "retry";
    } catch (error) {
      debugLog("nothing answered", { task: task.kind, error: String(error) });
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
      const batch = this.extension?.together(report, this.#queue);
      const { path, body } = batch?.report ?? report;
      const answer = await this.#api.call(`POST ${path}`, {
        body: body(sessionId),
        // Lets the gateway repeat what broke off: the collector recognises events by their ids.
        ...(report.identified && { headers: { "idempotency-key": newEventId(report.atMs) } }),
        keepalive: true,
      });
      if (answer.ok) this.#session.touch();
      if (answer.status === 404) this.#session.drop();
      return batch && answer.ok ? batch.settle(answer.answer) : judge(answer, report);
    } catch (error) {
      debugLog("nothing answered", { task: report.path, error: String(error) });
      // It may have arrived: repeat only what cannot be counted twice.
      return report.identified ? "retry" : "drop";
    }
  }
}

function judge(answer: { ok: boolean; status: number }, report: Report): DeliveryOutcome {
  if (answer.ok) return "done";
  debugLog("refused", { task: report.path, status: answer.status });
  // Unknown session, rate limit or collector unavailable: not accepted.
  if ([404, 429, 503].includes(answer.status)) return "retry";
  return answer.status >= 500 && report.identified ? "retry" : "drop";
}
