import type { Answer } from "../api-client/request.ts";
import { type ConsentBody, type EventBody, paths } from "./calls.ts";
import { debugLog } from "./debug-log.ts";
import { backoffMs, Lane, type Outcome } from "./lane.ts";
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
import { type Decision, type SessionOptions, VisitSession } from "./session.ts";

export type TrackerOptions = SessionOptions & {
  /** Hands a last report to the browser, which sends it after the page is gone. */
  beacon: (path: string, body: object) => boolean;
  /** Pause before a repeated delivery, in milliseconds; given by tests. */
  pauseMs?: (attempt: number) => number;
};

type Task =
  | { kind: "report"; report: Report }
  | { kind: "decision"; decision: Decision }
  | { kind: "start" };

const waitingMax = 50;
const attemptsMax = 8;

/**
 * The browser's client of the collector. Before `start` nothing is sent; afterwards reports go out in
 * order. Failures are only logged (specification §8). Under a privacy signal only page views are
 * reported, without any id, so that the anonymous counters stay right.
 */
export class Tracker {
  readonly #options: TrackerOptions;
  readonly #session: VisitSession;
  readonly #lane: Lane<Task>;
  #started = false;
  #consented = false;
  #signal: PrivacySignal | undefined;
  #currentView: PageView | undefined;
  #ended = false;

  constructor(options: TrackerOptions) {
    this.#options = options;
    this.#session = new VisitSession(options);
    this.#lane = new Lane<Task>({
      deliver: (task) => this.#deliver(task),
      onDrop: (task, why) => this.#giveUp(task, why),
      limit: waitingMax,
      attempts: attemptsMax,
      pauseMs: options.pauseMs ?? backoffMs,
    });
  }

  /** Starts the session; once, whatever mounts twice. */
  start(state: { granted: boolean; signal: PrivacySignal | undefined }): void {
    if (this.#started) return;
    this.#started = true;
    this.#signal = state.signal;
    this.#consented = state.granted && state.signal === undefined;
    this.#session.open(state);
    this.#lane.push({ kind: "start" });
    if (this.#currentView) this.#report(this.#viewReport(this.#currentView));
  }

  /** Whether the visitor's details may be reported. */
  get consented(): boolean {
    return this.#consented;
  }

  /** Reports a page by its path. The first view after consent is granted is reported in detail. */
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

  /** Takes a decision of the visitor: what waits or is stored goes at once when it is a refusal. */
  decide(decision: Decision): void {
    if (!this.#started || this.#signal !== undefined) return;
    const before = this.#consented;
    this.#consented = decision.granted;
    if (!decision.granted) {
      this.#session.forget();
      this.#lane.withdraw((task) => task.kind === "report" && task.report.identified);
    }
    this.#lane.push({ kind: "decision", decision });
    if (decision.granted && !before && this.#currentView) {
      this.#report(this.#viewReport(this.#currentView));
    }
  }

  /** The page goes away: hands over what still waits, and the end of the session, once. */
  end(exitPage: string): void {
    if (this.#ended || !this.#started) return;
    this.#ended = true;
    const underWay = this.#lane.underWay;
    const waiting = this.#lane.withdraw(() => true);
    const sessionId = this.#session.sessionId;
    if (sessionId === undefined) return;
    // A call under way outlives the page; only what carries an event id may be said twice.
    const again = underWay?.kind === "report" && underWay.report.identified ? [underWay] : [];
    for (const task of [...again, ...waiting]) this.#handOver(task, sessionId);
    if (this.#signal !== undefined) return;
    const last = endReport(exitPage, this.#consented, this.#options.now());
    this.#options.beacon(last.path, last.body(sessionId));
  }

  /** The page comes back from the browser's cache: the visit goes on, or a new one if it is late. */
  resume(): void {
    this.#ended = false;
  }

  /** The device is online again. */
  retryNow(): void {
    this.#lane.wake();
  }

  #viewReport(view: PageView): Report {
    return pageViewReport(view, this.#consented, this.#options.now());
  }

  #report(report: Report): void {
    if (this.#started) this.#lane.push({ kind: "report", report });
  }

  #handOver(task: Task, sessionId: string): void {
    if (task.kind === "report") this.#options.beacon(task.report.path, task.report.body(sessionId));
    // A grant is told again on the next visit; a refusal has no next visit that knows these ids.
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
    // Even if the collector never heard of the refusal, nothing more is said under the old ids.
    if (task.kind === "decision" && !task.decision.granted) this.#session.renew();
  }

  async #deliver(task: Task): Promise<Outcome> {
    try {
      if (task.kind === "decision") return await this.#deliverDecision(task.decision);
      if ((await this.#session.ensure()) === undefined) return "retry";
    } catch (error) {
      debugLog("nothing answered", { task: describe(task), error: nameOf(error) });
      return "retry";
    }
    return task.kind === "report" ? this.#deliverReport(task.report) : "done";
  }

  async #deliverDecision(decision: Decision): Promise<Outcome> {
    if (!(await this.#session.decide(decision))) return "retry";
    if (!decision.granted) this.#session.renew();
    return "done";
  }

  async #deliverReport(report: Report): Promise<Outcome> {
    const sessionId = this.#session.sessionId;
    if (sessionId === undefined) return "retry";
    try {
      const body = report.body(sessionId);
      const answer = await this.#options.api.post(report.path, { body, keepalive: true });
      if (answer.ok) this.#session.touch();
      if (answer.status === 404) this.#session.drop();
      return judge(answer, report);
    } catch (error) {
      debugLog("nothing answered", { task: report.path, error: nameOf(error) });
      // Perhaps it arrived: a count is repeated only if it cannot be counted twice.
      return report.identified ? "retry" : "drop";
    }
  }
}

function judge(answer: Answer, report: Report): Outcome {
  if (answer.ok) return "done";
  debugLog("refused", { task: report.path, status: answer.status });
  // An unknown session, too many requests, or a collector that takes nothing now: not accepted.
  if (answer.status === 404 || answer.status === 429 || answer.status === 503) return "retry";
  return answer.status >= 500 && report.identified ? "retry" : "drop";
}

const describe = (task: Task): string => (task.kind === "report" ? task.report.path : task.kind);
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
