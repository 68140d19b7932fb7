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
import { type Decision, VisitSession, type VisitSessionOptions } from "./visit-session.ts";

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

/**
 * The browser's client of the collector. Before `start` nothing is sent; afterwards reports go out
 * in order. Failures are only logged (specification §8). Under a privacy signal only page views
 * without ids are sent, for the anonymous counters.
 */
export class Tracker {
  readonly #options: TrackerOptions;
  readonly #session: VisitSession;
  readonly #queue: DeliveryQueue<Task>;
  #started = false;
  #consented = false;
  #signal: PrivacySignal | undefined;
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

  /** Starts the session once, however often it is called. */
  start(state: { granted: boolean; signal: PrivacySignal | undefined }): void {
    if (this.#started) return;
    this.#started = true;
    this.#signal = state.signal;
    this.#consented = state.granted && state.signal === undefined;
    this.#session.open(state);
    this.#queue.push({ kind: "start" });
    if (this.#currentView) this.#report(this.#viewReport(this.#currentView));
  }

  get consented(): boolean {
    return this.#consented;
  }

  /** Reports a page by its path. After consent the current view is sent again in detail. */
  pageView(view: PageView): void {
    this.#currentView = view;
    this.#report(this.#viewReport(view));
  }

  click(click: Click): void {
    if (this.#signal !== undefined) return;
    this.#report(clickReport(click, this.#consented, this.#options.now()));
  }

  event(eventType: string, eventData?: EventBody["eventData"]): void {
    if (!this.#consented) return;
    this.#report(eventReport(eventType, eventData, this.#options.now()));
  }

  /** A refusal removes stored ids and waiting reports at once. */
  decide(decision: Decision): void {
    if (!this.#started || this.#signal !== undefined) return;
    const before = this.#consented;
    this.#consented = decision.granted;
    if (!decision.granted) {
      this.#session.forget();
      this.#queue.withdraw((task) => task.kind === "report" && task.report.identified);
    }
    this.#queue.push({ kind: "decision", decision });
    if (decision.granted && !before && this.#currentView) {
      this.#report(this.#viewReport(this.#currentView));
    }
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
    const last = endReport(exitPage, this.#consented, this.#options.now());
    this.#options.beacon(last.path, last.body(sessionId));
  }

  /** Continues the visit of a page restored from the browser's cache, or starts a new one. */
  resume(): void {
    this.#ended = false;
  }

  retryNow(): void {
    this.#queue.wake();
  }

  #viewReport(view: PageView): Report {
    return pageViewReport(view, this.#consented, this.#options.now());
  }

  #report(report: Report): void {
    if (this.#started) this.#queue.push({ kind: "report", report });
  }

  #handOver(task: Task, sessionId: string): void {
    if (task.kind === "report") this.#options.beacon(task.report.path, task.report.body(sessionId));
    // A grant is sent again on the next visit; a refusal is not, because its ids are removed.
    if (task.kind !== "decision" || task.decision.granted) return;
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
    if (task.kind === "decision" && !task.decision.granted) this.#session.renew();
  }

  async #deliver(task: Task): Promise<DeliveryOutcome> {
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
    if (!decision.granted) this.#session.renew();
    return "done";
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
