import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { isOfficerWarning, type PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import type { RequestType } from "@pro-talent/schemas/privacy/request";

import { accountId, cancellationId, dana, noa, omar } from "../facts.ts";
import { Agenda } from "./agenda.ts";
import { dayMs, independentDueMs } from "./jerusalem.ts";
import { Officers } from "./officers.ts";
import { SimulatedRequest, type Surroundings } from "./simulated-request.ts";

export type Years = {
  readonly requests: number;
  readonly years: number;
  readonly random: () => number;
  /** Whether officers read their warnings; without it is seen what the warnings are for. */
  readonly warned?: boolean;
};

export type Lived = {
  readonly requests: number;
  readonly events: number;
  readonly erased: number;
  /** What must never be, each with the request. */
  readonly broken: readonly string[];
  /** Decisions or their notices that came after the due date. */
  readonly missed: number;
  readonly warnings: number;
  /** From receipt to the notice of a decision, in days, in order. */
  readonly daysToDecision: readonly number[];
};

const holdId = "3eaf7ca1-2d84-4d92-9051-6d428fcbca43";
const firstMs = Date.UTC(2026, 0, 1);

/** Lets years of privacy requests pass, with the product's decider, timers and rows, all in memory. */
export function simulateYears(options: Years): Lived {
  return new Simulation(options).run();
}

/** From these on officers have a request before them. */
const withOfficers: ReadonlySet<PrivacyEvent["type"]> = new Set([
  "IdentityVerified",
  "PackageCollected",
  "RedactionReturned",
  "CorrectionOutdated",
]);

class Simulation {
  readonly #options: Years;
  readonly #agenda = new Agenda();
  readonly #officers: Officers;
  readonly #around: Surroundings;
  readonly #requests: SimulatedRequest[] = [];
  readonly #dueMs = new Map<string, number>();
  readonly #receivedMs = new Map<string, number>();
  readonly #broken: string[] = [];
  readonly #days: number[] = [];
  readonly #erasable = new Map<string, number>();
  #events = 0;
  #missed = 0;
  #erased = 0;
  #warnings = 0;

  constructor(options: Years) {
    this.#options = options;
    const { random, years, warned = true } = options;
    const until = firstMs + years * 365.25 * dayMs;
    const agenda = this.#agenda;
    // Two of them are there at any time, as it takes to withhold a passage.
    this.#officers = new Officers([dana, omar, noa], {
      agenda,
      random,
      from: firstMs,
      until,
      warned,
    });
    this.#around = {
      agenda,
      random,
      onNotice: (request, notice, at) => {
        if (isOfficerWarning(notice)) {
          this.#warnings += 1;
          this.#officers.warn(request, notice, at);
        } else if (notice === "ready" || notice === "corrected" || notice === "denied")
          this.#answered(request, at);
      },
      onStalled: (request, at) => this.#officers.giveToAll(request, at),
      onEvent: (request, event, at) => this.#recorded(request, event, at),
    };
  }

  run(): Lived {
    const { requests, years, random } = this.#options;
    for (let n = 0; n < requests; n += 1) {
      const at = firstMs + Math.floor(random() * years * 365.25 * dayMs);
      this.#agenda.add(at, () => this.#receive(n, at));
    }
    this.#agenda.run();
    for (const request of this.#requests) this.#checkEnd(request);
    return {
      requests: this.#requests.length,
      events: this.#events,
      erased: this.#erased,
      broken: this.#broken,
      missed: this.#missed,
      warnings: this.#warnings,
      daysToDecision: this.#days.toSorted((a, b) => a - b),
    };
  }

  #receive(n: number, at: number): void {
    const { random } = this.#options;
    const chance = random();
    const type: RequestType = chance < 0.35 ? "access" : chance < 0.6 ? "correct" : "delete";
    const id = `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
    const request = new SimulatedRequest(id, type, this.#around);
    this.#requests.push(request);
    this.#receivedMs.set(id, at);
    this.#dueMs.set(id, independentDueMs(at));
    request.hard = random() < 0.08;
    const identity = random() < 0.9 ? ("step-up" as const) : null;
    request.command({ type: "ReceiveRequest", requestType: type, accountId, identity }, at);
    const later = (days: number, act: (now: number) => void): void =>
      this.#agenda.add(at + Math.floor(days * dayMs), act);
    if (identity === null)
      later(random() * 16, (now) =>
        request.record({ type: "IdentityVerified", data: { method: "mailed-code" } }, now),
      );
    if (type === "delete") this.#liveDeletion(request, later);
    else this.#liveReview(request, later);
  }

  #liveReview(
    request: SimulatedRequest,
    later: (days: number, act: (at: number) => void) => void,
  ): void {
    const { random } = this.#options;
    if (random() < 0.03)
      later(random() * 20, (at) => request.record({ type: "RequestWithdrawn", data: {} }, at));
    if (random() < 0.01)
      later(random() * 6, (at) => {
        request.outageUntil = at + random() * 4 * dayMs;
      });
    for (let downloads = Math.floor(random() * 8); downloads > 0; downloads -= 1)
      later(random() * 30, (at) => request.record({ type: "PackageDownloaded", data: {} }, at));
  }

  #liveDeletion(
    request: SimulatedRequest,
    later: (days: number, act: (at: number) => void) => void,
  ): void {
    const { random } = this.#options;
    if (random() < 0.01)
      later(29, (at) => {
        request.outageUntil = at + random() * 4 * dayMs;
      });
    if (random() < 0.15)
      later(random() * 31, (at) => {
        const fact = { type: "DeletionCancelled", data: { cancellationId } } as const;
        if (request.record(fact, at)) this.#cancelled(request, at);
      });
    if (random() < 0.1)
      later(random() * 31, (at) => request.record({ type: "GraceWaived", data: {} }, at));
    if (random() < 0.05) later(random() * 30, (at) => this.#hold(request, at, later));
  }

  #hold(
    request: SimulatedRequest,
    at: number,
    later: (days: number, act: (at: number) => void) => void,
  ): void {
    const days = 1 + this.#options.random() * 88;
    const reviewAt = instantFromMs(at + Math.floor(days * dayMs));
    const data = { officerId: dana, holdId, law: "Income Tax Ordinance 130", reviewAt };
    if (!request.record({ type: "HoldPlaced", data }, at)) return;
    later(days + 31, (now) =>
      request.record({ type: "HoldReleased", data: { officerId: dana, holdId } }, now),
    );
  }

  /** A cancellation is a request of its own, completed at once. */
  #cancelled(of: SimulatedRequest, at: number): void {
    const id = of.id.replace("4000", "4001");
    const request = new SimulatedRequest(id, "cancel-deletion", this.#around);
    this.#requests.push(request);
    this.#receivedMs.set(id, at);
    this.#dueMs.set(id, independentDueMs(at));
    const asked = { requestType: "cancel-deletion", accountId: null, identity: "step-up" } as const;
    request.command({ type: "ReceiveRequest", ...asked }, at);
  }

  #recorded(request: SimulatedRequest, event: PrivacyEvent, at: number): void {
    this.#events += 1;
    if (withOfficers.has(event.type) && (request.type === "access" || request.type === "correct"))
      this.#officers.give(request, at);
    // Who proposed it cannot confirm it.
    if (event.type === "RedactionProposed") this.#officers.giveToAll(request, at);
    switch (event.type) {
      case "RequestReceived":
        if (Date.parse(event.data.clocks.dueAt) !== this.#dueMs.get(request.id))
          this.#broken.push(`${request.id} is due at ${event.data.clocks.dueAt}`);
        this.#erasable.set(request.id, at + 30 * dayMs);
        return;
      case "GraceWaived":
        this.#erasable.set(request.id, at);
        return;
      case "EraseClaimed":
        this.#erased += 1;
        if (at < (this.#erasable.get(request.id) ?? Infinity))
          this.#broken.push(`${request.id} is erased early`);
        if (request.row?.held === true) this.#broken.push(`${request.id} is erased under a hold`);
        return;
      case "DueDateMissed":
        this.#missed += 1;
        return;
      default:
    }
  }

  /** Its holder was sent the answer. */
  #answered(request: SimulatedRequest, at: number): void {
    this.#days.push((at - (this.#receivedMs.get(request.id) ?? 0)) / dayMs);
    const isOverdue = request.row?.overdue === true;
    if (at >= (this.#dueMs.get(request.id) ?? 0) && !isOverdue) this.#missed += 1;
  }

  #checkEnd({ id, state, row }: SimulatedRequest): void {
    if (state.status !== "completed") this.#broken.push(`${id} is ${state.status} for ever`);
    else if (row?.status !== state.status || row.outcome !== state.outcome)
      this.#broken.push(`the row of ${id} is not as its request`);
  }
}
