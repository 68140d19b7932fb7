import type { DeniedFields } from "@pro-talent/schemas/privacy/correction";
import type { PrivacyEventType } from "@pro-talent/schemas/privacy/events";
import { privacyOfficerCalls, ReviewedRequest } from "@pro-talent/schemas/privacy/officer-calls";
import type { BrowserContext } from "playwright-core";

import { type AnsweredCall, answerCalls } from "./answer-calls.ts";

const dayMs = 24 * 60 * 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();
export const officerId = "0f8fad5b-d9cb-469f-a165-70867728950e";
const otherOfficer = "1f8fad5b-d9cb-469f-a165-70867728950e";

const Denied = privacyOfficerCalls[
  "POST /api/console/privacy/requests/:requestId/approve"
].body.pick({ denied: true });

type Change = Partial<Record<keyof ReviewedRequest, unknown>>;

/** What the ledger would accept, as far as these requests have it. */
function possibleIn({ stalled, needsDecision, own, lease, ...request }: ReviewedRequest) {
  const { type, status, holds, form, outcome } = request;
  const events = (...names: PrivacyEventType[]): PrivacyEventType[] => names;
  if (own || outcome !== null) return [];
  if (stalled) return events("Retried");
  if (type === "delete" && status === "scheduled")
    return holds.length === 0
      ? events("HoldPlaced")
      : events("HoldPlaced", "HoldReviewed", "HoldReleased");
  if (!needsDecision) return [];
  if (lease === null) return events("Assigned");
  if (!lease.mine) return [];
  const approved = { access: "AccessApproved", correct: "CorrectionApproved" } as const;
  const approval = type === "access" || type === "correct" ? [approved[type]] : [];
  const check = form?.needsReview === true ? events("IdentityChecked") : [];
  const always = events("Assigned", "AssignmentReleased", "RequestDenied", "DenialProposed");
  return [...always, ...approval, ...check, ...events("ExtensionDeclared")];
}

/** A request as an officer sees it, received some days ago. */
export function exampleRequest(digit: number, days: number, change: Change = {}): ReviewedRequest {
  const receivedAt = iso(Date.now() - days * dayMs);
  const dueAt = iso(Date.now() + (21 - days) * dayMs);
  return ReviewedRequest.parse({
    requestId: `${digit}f8fad5b-d9cb-469f-a165-70867728950e`,
    type: "access",
    status: "pending",
    outcome: null,
    partly: [],
    receivedAt,
    dueAt,
    clock: { kind: "due", endsAt: dueAt },
    overdue: days > 21,
    held: false,
    stalled: false,
    needsDecision: true,
    inReview: false,
    lease: null,
    version: 2,
    own: false,
    possible: [],
    relation: null,
    form: null,
    identity: "step-up",
    eraseAt: null,
    extension: null,
    proposedDenial: null,
    denialReason: null,
    deniedFields: [],
    holds: [],
    correction: null,
    steps: [],
    history: [
      { step: "received", at: receivedAt, officerId: null },
      { step: "verified", at: receivedAt, officerId: null },
    ],
    ...change,
  });
}

const preview = privacyOfficerCalls[
  "GET /api/console/privacy/requests/:requestId/preview"
].answer.parse({
  stores: [
    { store: "profile", items: 1 },
    { store: "sign-in", items: 4 },
    { store: "links", items: 37 },
    { store: "invoices", items: 12 },
  ],
  missing: ["newsletter"],
  recipients: [
    [
      { field: "recipient", word: "payment-provider" },
      { field: "created-at", at: "2026-01-05T09:00:00.000Z" },
      { field: "on-correction", word: "holds-no-such-field" },
      { field: "on-deletion", word: "customer-deleted" },
    ],
    [
      { field: "recipient", word: "own-webhook" },
      { field: "url", text: "hooks.example.com" },
      { field: "created-at", at: "2026-02-11T09:00:00.000Z" },
      { field: "on-correction", word: "own-choice" },
      { field: "on-deletion", word: "own-choice" },
    ],
  ],
});

const checkedForm = {
  isAccount: true,
  needsReview: true,
  text: "איבדתי את הטלפון, my phone is lost",
  checks: [{ check: "identity-document", officerId, at: iso(Date.now()) }],
  objectionUntil: iso(Date.now() + 5 * dayMs),
  approvedBy: [],
};

/** The calls of officers as journeys need them: decisions are remembered. */
export class OfficerAnswers {
  requests: ReviewedRequest[] = [
    exampleRequest(1, 22),
    exampleRequest(2, 19, {
      type: "correct",
      correction: {
        held: { fullName: "Noa Levi", language: "en", phone: "" },
        asked: { fullName: "נועה לוי", language: "he", phone: "+972 50 555 0100" },
      },
    }),
    exampleRequest(3, 3, {
      lease: {
        officerId: otherOfficer,
        name: "Noa Levi",
        mine: false,
        until: iso(Date.now() + 600_000),
      },
    }),
    exampleRequest(4, 9, {
      stalled: true,
      needsDecision: false,
      clock: null,
      status: "failed",
      steps: [
        { step: "links", state: "done", attempts: 0, found: 37 },
        { step: "invoices", state: "failed", attempts: 5, found: null },
      ],
    }),
    exampleRequest(5, 4, {
      type: "delete",
      status: "scheduled",
      needsDecision: false,
      eraseAt: iso(Date.now() + 26 * dayMs),
      clock: { kind: "erase", endsAt: iso(Date.now() + 26 * dayMs) },
    }),
    exampleRequest(6, 2, {
      type: "delete",
      identity: "mailed-code",
      relation: "account",
      form: { ...checkedForm, checks: [] },
    }),
  ];
  /** What was decided, as `<act> <body>`, in order. */
  readonly decided: (readonly [act: string, body: unknown])[] = [];
  /** By act, or `queue`: what is answered instead, once. */
  readonly instead = new Map<string, { status: number; code: string }>();

  async takeOver(context: BrowserContext): Promise<void> {
    await answerCalls(
      context,
      (path) => path.startsWith("/api/console/privacy/requests"),
      (route) => this.#answer(route),
    );
  }

  async #answer(route: AnsweredCall): Promise<void> {
    const { pathname, searchParams } = new URL(route.request().url());
    const [id, ...acts] = pathname.split("/").slice(5);
    const act = id === undefined ? "queue" : (acts.at(-1) ?? "read");
    const instead = this.instead.get(act);
    this.instead.delete(act);
    if (instead !== undefined)
      await route.fulfill({ status: instead.status, json: { code: instead.code } });
    else if (id === undefined) await route.fulfill({ json: this.#queue(searchParams) });
    else if (act === "preview") await route.fulfill({ json: preview });
    else if (act === "read") await this.#read(route, id);
    else {
      const body: unknown = route.request().postDataJSON();
      this.decided.push([acts.join("/"), body]);
      this.#decide(id, act, Denied.safeParse(body).data?.denied ?? []);
      await route.fulfill({ json: { status: "recorded" } });
    }
  }

  #queue(query: URLSearchParams) {
    const only = query.get("only");
    const wanted = query.get("number");
    const requests = this.requests.filter(
      ({ requestId, stalled, held, overdue, lease, outcome }) =>
        (wanted === null ? outcome === null : requestId.startsWith(wanted)) &&
        (only !== "stalled" || stalled) &&
        (only !== "held" || held) &&
        (only !== "overdue" || overdue) &&
        (only !== "mine" || lease?.mine === true),
    );
    return { requests, open: requests.length, overdue: 1 };
  }

  async #read(route: AnsweredCall, id: string): Promise<void> {
    const request = this.requests.find(({ requestId }) => requestId === id);
    await (request === undefined
      ? route.fulfill({ status: 404, json: { code: "request_unknown" } })
      : route.fulfill({ json: { request: { ...request, possible: possibleIn(request) } } }));
  }

  #decide(id: string, act: string, deniedFields: DeniedFields): void {
    const lease = { officerId, name: "Dana Cohen", mine: true, until: iso(Date.now() + 1_800_000) };
    const holdId = "3f8fad5b-d9cb-469f-a165-70867728950e";
    const reviewAt = iso(Date.now() + 60 * dayMs);
    const hold = { holdId, law: "Income Tax Ordinance, סעיף 130", reviewAt, officerId };
    const changes: Readonly<Record<string, Change>> = {
      claim: { lease },
      check: { form: checkedForm },
      approve: { needsDecision: false, lease: null, deniedFields },
      deny: { proposedDenial: { reason: "suspected-fraud", officerId, mine: true } },
      extend: { extension: "gdpr" },
      hold: { holds: [hold], held: true },
      retry: { stalled: false, status: "pending" },
      release: { holds: [], held: false, lease: null },
    };
    this.requests = this.requests.map((request) =>
      request.requestId === id
        ? ReviewedRequest.parse({ ...request, ...changes[act], version: request.version + 1 })
        : request,
    );
  }
}
