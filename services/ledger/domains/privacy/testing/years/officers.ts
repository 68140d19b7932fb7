import { leaseMs, type OfficerWarning } from "@pro-talent/schemas/privacy/clocks";

import { warnedOfficers } from "../../officer-mails.ts";
import type { Agenda } from "./agenda.ts";
import { dayMs, nextOfficeHour } from "./jerusalem.ts";
import type { SimulatedRequest } from "./simulated-request.ts";

const minuteMs = 60_000;

type Officer = {
  readonly officerId: string;
  /** Beginnings of fourteen days without work. */
  readonly away: readonly number[];
  freeAt: number;
};

type Surroundings = {
  readonly agenda: Agenda;
  readonly random: () => number;
  readonly from: number;
  readonly until: number;
  /** Whether officers read the warnings that they are sent. */
  readonly warned: boolean;
};

/**
 * Officers with a pile of requests each, which they decide in office hours in the order of receipt. Some
 * requests are put off for days or weeks. One officer after another is away for 14 days, never two at once,
 * and their pile waits for them unless a warning reaches another one.
 */
export class Officers {
  readonly #officers: readonly Officer[];
  readonly #around: Surroundings;
  readonly #putOff = new Set<string>();

  constructor(officerIds: readonly string[], around: Surroundings) {
    this.#around = around;
    const away: number[][] = officerIds.map(() => []);
    const { from, until, random } = around;
    for (let at = from; at < until; at += (14 + Math.floor(random() * 60)) * dayMs)
      away[Math.floor(random() * officerIds.length)]?.push(at);
    this.#officers = officerIds.map((officerId, place) => ({
      officerId,
      away: away[place] ?? [],
      freeAt: 0,
    }));
  }

  /** A request that is to be decided goes on the pile of one of them. */
  give(request: SimulatedRequest, at: number): void {
    const place = Math.floor(this.#around.random() * this.#officers.length);
    this.#plan(request, this.#officers[place], at);
  }

  /** Work that failed is shown first in the queue of all. */
  giveToAll(request: SimulatedRequest, at: number): void {
    for (const officer of this.#officers) this.#plan(request, officer, at, true);
  }

  warn(request: SimulatedRequest, warning: OfficerWarning, at: number): void {
    const { row } = request;
    if (!this.#around.warned || row === null) return;
    const known = { accountId: row.account_id, leaseOfficer: row.lease_officer };
    const ids = this.#officers.map(({ officerId }) => officerId);
    for (const id of warnedOfficers(ids, { warning, request: known }))
      this.#plan(
        request,
        this.#officers.find(({ officerId }) => officerId === id),
        at,
        true,
      );
  }

  #nextWork({ away }: Officer, from: number): number {
    for (let at = nextOfficeHour(from); ; at = nextOfficeHour(at)) {
      const absence = away.find((begins) => begins <= at && at < begins + 14 * dayMs);
      if (absence === undefined) return at;
      at = absence + 14 * dayMs;
    }
  }

  #plan(request: SimulatedRequest, officer: Officer | undefined, from: number, urgent = false) {
    if (officer === undefined) return;
    const at = this.#nextWork(officer, urgent ? from : Math.max(from, officer.freeAt));
    const minutes = 5 + Math.floor(this.#around.random() * 15);
    officer.freeAt = Math.max(officer.freeAt, at) + minutes * minuteMs;
    this.#around.agenda.add(at, (now) => this.#decide(request, officer, now, urgent));
  }

  #decide(request: SimulatedRequest, officer: Officer, at: number, urgent: boolean): void {
    const { state } = request;
    const { officerId } = officer;
    if (state.status === "stalled") request.record({ type: "Retried", data: { officerId } }, at);
    if (state.status === "review") this.#review(request, officer, at);
    if (state.status !== "verified") return;
    // Another officer has it now; were it not decided by then, a warning would come.
    if (!request.record({ type: "Assigned", data: { officerId } }, at)) return;
    if (request.hard && !urgent && !this.#putOff.has(request.id)) {
      this.#putOff.add(request.id);
      const days = 1 + this.#around.random() * 29;
      this.#around.agenda.add(at + days * dayMs, (now) => this.#plan(request, officer, now));
      return;
    }
    this.#answer(request, officer, at, urgent);
  }

  /** One looks through the copy and releases it, or wants something to be withheld; another confirms. */
  #review(request: SimulatedRequest, officer: Officer, at: number): void {
    const { officerId } = officer;
    if (!request.record({ type: "Assigned", data: { officerId } }, at)) {
      // Another officer has it, as who has just approved the request: it stays in the queue.
      this.#around.agenda.add(at + leaseMs, (now) => this.#plan(request, officer, now));
      return;
    }
    const { state } = request;
    if (state.status === "none" || state.review === null) return;
    const { collected, proposal } = state.review;
    const { revision } = state;
    if (proposal !== null && proposal.by !== officerId && !proposal.returned) {
      const isReturned = this.#around.random() < 0.1;
      const type = isReturned ? "RedactionReturned" : "RedactionApplied";
      request.record({ type, data: { officerId, revision } }, at);
    } else if (proposal?.returned === false) {
      // It is the second officer's now.
      request.record({ type: "AssignmentReleased", data: { officerId } }, at);
    } else if (proposal !== null || this.#around.random() < 0.4) {
      const place = { store: "messages", entry: 0, value: null, span: null } as const;
      const redactions = [{ ...place, reason: "other-person" as const }];
      const data = { officerId, collected, redactions };
      request.record({ type: "RedactionProposed", data }, at);
    } else request.record({ type: "CopyReleased", data: { officerId } }, at);
  }

  #answer(request: SimulatedRequest, { officerId }: Officer, at: number, urgent: boolean): void {
    const { random } = this.#around;
    const { state } = request;
    if (state.status === "none") return;
    const chance = random();
    if (chance < 0.03)
      request.record({ type: "ExtensionDeclared", data: { officerId, law: "gdpr" } }, at);
    const isSuspected = state.denialBy.length > 0 || (chance > 0.98 && !urgent);
    if (isSuspected && request.record(denial("suspected-fraud", officerId), at)) return;
    if (isSuspected && !urgent) {
      const reason = "suspected-fraud" as const;
      request.record({ type: "DenialProposed", data: { officerId, reason } }, at);
      request.record({ type: "AssignmentReleased", data: { officerId } }, at);
      const other = this.#officers.find((one) => one.officerId !== officerId);
      this.#plan(request, other, at);
      return;
    }
    // Without a second officer in time the suspicion decides nothing.
    if (isSuspected || random() < 0.1)
      request.record(denial("insufficient-verification", officerId), at);
    else if (request.type === "access")
      request.record(
        {
          type: "AccessApproved",
          data: {
            officerId,
            steps: ["links", "files"],
            review: { asked: random() < 0.2, stores: [] },
          },
        },
        at,
      );
    else request.record({ type: "CorrectionApproved", data: { officerId, steps: ["phone"] } }, at);
  }
}

const denial = (reason: "suspected-fraud" | "insufficient-verification", officerId: string) =>
  ({ type: "RequestDenied", data: { officerId, reason } }) as const;
