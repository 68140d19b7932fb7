import { OwnRequest, ownRequestCalls } from "@pro-talent/schemas/privacy/calls";
import type { BrowserContext } from "playwright-core";
import { z } from "zod";

import { exampleAccount } from "./account-answers.ts";
import { type AnsweredCall, answerCalls } from "./answer-calls.ts";

const dayMs = 24 * 60 * 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();
const Retyped = z.object({ email: z.string() });

const held = ownRequestCalls["GET /api/privacy/held"].answer.parse({
  sections: [
    {
      section: "profile",
      records: [
        [
          { field: "full-name", text: "Noa Levi נועה לוי" },
          { field: "phone", text: "" },
          { field: "language", word: "he" },
          { field: "created-at", at: "2026-05-20T09:15:00.000Z" },
        ],
      ],
    },
    { section: "sign-in", records: [[{ field: "password", unreadable: true }]] },
  ],
  missing: [],
});

const { consents } = ownRequestCalls["GET /api/privacy/consents"].answer.parse({
  consents: [
    {
      receiptId: "6b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
      subject: "newsletter",
      decision: "withdrawn",
      at: "2026-06-02T09:15:00.000Z",
      version: null,
      language: null,
    },
    {
      receiptId: "7b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
      subject: "terms",
      decision: "granted",
      at: "2026-05-20T09:15:00.000Z",
      version: "2026-03-01",
      language: "he",
    },
  ],
});

function scheduled(now: number): OwnRequest {
  return OwnRequest.parse({
    requestId: "3b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
    type: "delete",
    status: "scheduled",
    outcome: null,
    partly: [],
    denialReason: null,
    deniedFields: [],
    receivedAt: iso(now),
    dueAt: iso(now + 21 * dayMs),
    deletion: {
      eraseAt: iso(now + 30 * dayMs),
      backupsGoneBy: iso(now + 90 * dayMs),
      cancellable: true,
      waived: false,
      held: false,
    },
    package: null,
    withheld: [],
    possible: ["DeletionCancelled", "GraceWaived"],
    history: ["received", "verified", "scheduled"].map((step) => ({ step, at: iso(now) })),
  });
}

/** A request that an officer decides. */
function reviewed(type: "access" | "correct", now: number): OwnRequest {
  const history = ["received", "verified"].map((step) => ({ step, at: iso(now) }));
  return OwnRequest.parse({
    ...scheduled(now),
    requestId: type === "access" ? accessId : "5b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
    type,
    status: "pending",
    deletion: null,
    possible: ["RequestWithdrawn"],
    history,
  });
}
const accessId = "4b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

/** The calls about privacy as journeys need them: what a person asks for is remembered. */
export class PrivacyAnswers {
  requests: OwnRequest[] = [];
  held = held;
  /** Calls that need it are refused until it was confirmed who asks. */
  stepUpDue = false;
  /** What was sent, in order. */
  readonly bodies: unknown[] = [];
  /** By the last part of the path: the status that is answered instead. */
  readonly instead = new Map<string, number>();

  async takeOver(context: BrowserContext): Promise<void> {
    await answerCalls(
      context,
      (path) => path.startsWith("/api/account/step-up/"),
      async (route) => {
        this.stepUpDue = false;
        await route.fallback();
      },
    );
    await answerCalls(
      context,
      (path) => path.startsWith("/api/privacy") && !path.startsWith("/api/privacy/legal-changes"),
      (route) => this.#answer(route),
    );
  }

  /** A legal hold stands. */
  hold(): void {
    const { deletion } = scheduled(Date.now());
    this.#change({ deletion: { ...deletion, held: true }, possible: ["DeletionCancelled"] });
  }

  /** The copy that was asked for can be downloaded. */
  makeReady(): void {
    const expiresAt = iso(Date.now() + 14 * dayMs);
    this.#change({
      status: "completed",
      outcome: "fulfilled",
      possible: ["PackageDownloaded"],
      package: { expiresAt, downloadsLeft: 5 },
    });
  }

  /** A correction was made for some fields, and denied for another. */
  correctInPart(): void {
    this.#change({
      status: "completed",
      outcome: "fulfilled",
      possible: [],
      partly: ["fields-denied"],
      deniedFields: [{ field: "address", reason: "claim-not-covered" }],
    });
  }

  #change(change: object): void {
    this.requests = this.requests.map((request) => OwnRequest.parse({ ...request, ...change }));
  }

  #end(outcome: "withdrawn" | "cancelled"): void {
    this.#change({ status: "completed", outcome, possible: [] });
  }

  async #answer(route: AnsweredCall): Promise<void> {
    const request = route.request();
    const part = new URL(request.url()).pathname.split("/").at(-1) ?? "";
    const status = this.instead.get(part);
    if (status !== undefined) {
      await route.fulfill({ status, json: { code: "not_found" } });
    } else if (part === "consents") {
      await route.fulfill({ json: { consents } });
    } else if (part === "receipt") {
      await route.fulfill({ json: { entry: {}, signature: "" } });
    } else if (part === "package" && !this.stepUpDue) {
      this.#change({ package: { expiresAt: iso(Date.now() + dayMs), downloadsLeft: 4 } });
      await route.fulfill({ contentType: "application/zip", body: "PK" });
    } else if (part !== "package" && request.method() === "GET") {
      await route.fulfill({ json: part === "held" ? this.held : { requests: this.requests } });
    } else if (this.stepUpDue && part !== "cancel-deletion" && part !== "withdraw") {
      await route.fulfill({ status: 403, json: { code: "step_up_required" } });
    } else await this.#carryOut(route, part);
  }

  async #carryOut(route: AnsweredCall, part: string): Promise<void> {
    const body: unknown = route.request().postDataJSON();
    this.bodies.push(body);
    if (
      ["delete", "waive-grace"].includes(part) &&
      Retyped.parse(body).email !== exampleAccount.email
    ) {
      await route.fulfill({ status: 422, json: { code: "email_differs" } });
      return;
    }
    if (part === "delete") this.requests = [scheduled(Date.now()), ...this.requests];
    if (part === "access" || part === "correct")
      this.requests = [reviewed(part, Date.now()), ...this.requests];
    if (part === "withdraw") this.#end("withdrawn");
    if (part === "cancel-deletion") this.#end("cancelled");
    if (part === "waive-grace") {
      const { deletion } = scheduled(Date.now());
      this.#change({
        status: "pending",
        deletion: { ...deletion, cancellable: false },
        possible: [],
      });
    }
    await route.fulfill({ json: { request: this.requests[0] } });
  }
}
