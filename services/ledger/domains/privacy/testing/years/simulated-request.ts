import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { keyStep, type Notice, type PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import type { RequestType } from "@pro-talent/schemas/privacy/request";

import { isReviewNeeded } from "../../copy-review.decider.ts";
import { type PrivacyCommand, privacyDecider } from "../../decider.ts";
import type { Recordable } from "../../guards.decider.ts";
import { evolveRow, type PrivacyRow } from "../../read-models.ts";
import type { KnownRequest, PrivacyState } from "../../state.decider.ts";
import { noticeDue, timersOf } from "../../timers.ts";
import type { Agenda } from "./agenda.ts";

export type Surroundings = {
  readonly agenda: Agenda;
  readonly random: () => number;
  /** A notice that was to be sent: whether it was. */
  readonly onNotice: (request: SimulatedRequest, notice: Notice, at: number) => void;
  readonly onStalled: (request: SimulatedRequest, at: number) => void;
  readonly onEvent: (request: SimulatedRequest, event: PrivacyEvent, at: number) => void;
};

type Timer = { readonly dueAt: string; fired: boolean };

const sweepMs = 10_000;
const dayMs = 24 * 60 * 60_000;
/** Backups are kept for 31 days, those of key stores for 14; the horizon is looked at once a day. */
const backupsGoneMs = 46 * dayMs;

/** One request with the product's own rules, timers and row, and a worker that does what is due. */
export class SimulatedRequest {
  state: PrivacyState = privacyDecider.initialState;
  row: PrivacyRow | null = null;
  /** Until then no store answers. */
  outageUntil = 0;
  hard = false;
  readonly #timers = new Map<string, Timer>();
  readonly #around: Surroundings;

  readonly id: string;
  readonly type: RequestType;

  constructor(id: string, type: RequestType, around: Surroundings) {
    this.id = id;
    this.type = type;
    this.#around = around;
  }

  /** @returns whether it was accepted */
  command(command: PrivacyCommand, at: number): boolean {
    const now = instantFromMs(at);
    const events = privacyDecider.decide(command, this.state, { now });
    if ("kind" in events) return false;
    for (const event of events) {
      this.state = privacyDecider.evolve(this.state, event, now);
      this.row = evolveRow(this.row, event, now);
      this.#around.onEvent(this, event, at);
    }
    this.#setTimers(at);
    return true;
  }

  record(fact: Recordable, at: number): boolean {
    return this.command({ type: "Record", fact }, at);
  }

  /** As an append writes them: one that is due at the same time as before is not due again. */
  #setTimers(at: number): void {
    const wanted = timersOf(this.state);
    const names = new Set(wanted.map(({ name }) => name));
    for (const name of this.#timers.keys()) if (!names.has(name)) this.#timers.delete(name);
    for (const { name, dueAt } of wanted) {
      if (this.#timers.get(name)?.dueAt === dueAt) continue;
      const timer = { dueAt, fired: false };
      this.#timers.set(name, timer);
      this.#fireFrom(Math.max(at, Date.parse(dueAt)), name, timer);
    }
  }

  #fireFrom(from: number, name: string, timer: Timer): void {
    const { agenda, random } = this.#around;
    agenda.add(from + Math.floor(random() * sweepMs), (at) => {
      if (this.#timers.get(name) !== timer || timer.fired) return;
      if (this.#do(name, at)) timer.fired = true;
      else this.#fireFrom(at, name, timer);
    });
  }

  /** What the handler of a timer does. @returns false when it fails, and stays due */
  #do(name: string, at: number): boolean {
    switch (name) {
      case "privacy.identity":
        return this.record({ type: "IdentityExpired", data: {} }, at);
      case "privacy.due":
        return this.record({ type: "DueDateMissed", data: {} }, at);
      case "privacy.package":
        return this.record({ type: "PackageExpired", data: {} }, at);
      case "privacy.erase":
        return this.record({ type: "EraseClaimed", data: { steps: ["links", keyStep] } }, at);
      case "privacy.notice":
        return this.#notify(at);
      case "privacy.work":
        return this.#work(at);
      default:
        return true;
    }
  }

  #notify(at: number): boolean {
    if (this.state.status === "none") return true;
    const due = this.state.notices.filter((owed) => noticeDue(owed) <= instantFromMs(at));
    for (const { notice } of due) {
      const chance = this.#around.random();
      const result = chance < 0.02 ? "later" : chance < 0.03 ? "refused" : "sent";
      this.record({ type: "NoticeTried", data: { notice, result } }, at);
      if (result !== "later") this.#around.onNotice(this, notice, at);
    }
    return true;
  }

  #work(at: number): boolean {
    for (;;) {
      const fact = this.#nextWork(at);
      if (fact === undefined) return true;
      if (!this.record(fact, at)) return false;
      if (this.state.status === "stalled") this.#around.onStalled(this, at);
      if (fact.type === "StepFailed") return true;
      if (fact.type === "ScanClean") this.#backups(at + backupsGoneMs);
    }
  }

  #nextWork(at: number): Recordable | undefined {
    const { state } = this;
    if (state.status === "none") return undefined;
    const [step = "package"] = state.open;
    const isWork = ["collecting", "applying", "claimed", "erasing"].includes(state.status);
    if (isWork && at < this.outageUntil)
      return { type: "StepFailed", data: { step, code: "unavailable" } };
    const done: Recordable = { type: "StepDone", data: { step, found: 1, left: 0 } };
    switch (state.status) {
      case "claimed":
        return { type: "JournalWritten", data: { entry: 1 } };
      case "erasing":
        if (!state.suppressed) return { type: "SuppressionConfirmed", data: {} };
        if (state.open.length > 0) return done;
        return this.#around.random() < 0.02
          ? { type: "ScanHit", data: {} }
          : { type: "ScanClean", data: { scanId: this.id } };
      case "collecting":
        return state.open.length > 0 ? done : collected(state);
      case "applying":
        if (state.open.length === 0)
          return { type: "RecipientsNotified", data: { recipients: [] } };
        return this.#around.random() < 0.03 ? { type: "CorrectionOutdated", data: {} } : done;
      default:
        return undefined;
    }
  }

  #backups(at: number): void {
    this.#around.agenda.add(at, () => {
      const oldestRestorableAt = instantFromMs(at - 14 * dayMs);
      this.record({ type: "BackupsAged", data: { oldestRestorableAt } }, at);
    });
  }
}

const sha256 = "0".repeat(64);
/** What is collected is kept for its review, or is sealed with what was confirmed. */
function collected(state: KnownRequest): Recordable {
  if (state.review === null && isReviewNeeded(state))
    return { type: "PackageCollected", data: { sha256 } };
  const withheld = state.review?.confirmed ?? 0;
  return { type: "PackageSealed", data: { sha256, ...(withheld > 0 && { withheld }) } };
}
