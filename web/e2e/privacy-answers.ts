import { Correction, OwnRequest, privacyCalls } from "@pro-talent/schemas/privacy/calls";
import type { BrowserContext, Route } from "playwright-core";
import { z } from "zod";

import { exampleAccount } from "./account-answers.ts";

const dayMs = 24 * 60 * 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();
const ids = {
  access: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
  correct: "2b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
  delete: "3b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
  receipt: "4b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
};
const Retyped = z.object({ email: z.string() });

const held = privacyCalls["GET /api/privacy/held"].answer.parse({
  sections: [
    {
      section: "profile",
      count: 1,
      records: [
        [
          { field: "full-name", text: "Noa Levi נועה לוי" },
          { field: "phone", text: "" },
          { field: "password", unreadable: true },
          { field: "created-at", at: "2026-05-20T09:15:00.000Z" },
        ],
      ],
    },
    { section: "opens", count: 240, records: [[{ field: "place", text: "Haifa, IL" }]] },
  ],
  missing: [],
});
const consents = privacyCalls["GET /api/privacy/consents"].answer.parse({
  consents: [
    {
      receiptId: ids.receipt,
      subject: "privacy",
      decision: "granted",
      at: "2026-05-20T09:15:00.000Z",
      version: "2026-03-01",
      language: "en",
    },
  ],
});

type Made = { type: "access" | "correct" | "delete"; now: number };

function made({ type, now }: Made): OwnRequest {
  const steps =
    type === "delete" ? ["received", "verified", "scheduled"] : ["received", "verified"];
  return OwnRequest.parse({
    requestId: ids[type],
    type,
    status: type === "delete" ? "scheduled" : "pending",
    outcome: null,
    denialReason: null,
    receivedAt: iso(now),
    dueAt: iso(now + 21 * dayMs),
    deletion:
      type === "delete"
        ? {
            eraseAt: iso(now + 30 * dayMs),
            backupsGoneBy: iso(now + 90 * dayMs),
            cancellable: true,
            waived: false,
            held: false,
          }
        : null,
    package: null,
    history: steps.map((step) => ({ step, at: iso(now) })),
  });
}

/** The calls about privacy as journeys need them: what a person asks for is remembered. */
export class PrivacyAnswers {
  requests: OwnRequest[] = [];
  /** Without data and consents. */
  isNew = false;
  missing: (typeof held)["missing"] = [];
  /** Calls that need it are refused until it was confirmed who asks. */
  stepUpDue = false;
  /** By the last part of the path: the status that is answered instead. */
  readonly instead = new Map<string, number>();
  correction: Correction | undefined;

  async takeOver(context: BrowserContext): Promise<void> {
    await context.route("**/api/account/step-up/**", async (route) => {
      this.stepUpDue = false;
      await route.fallback();
    });
    await context.route(
      ({ pathname }) => pathname.startsWith("/api/privacy"),
      (route) => this.#answer(route),
    );
  }

  /** The copy that was asked for is ready. */
  completeCopy(): void {
    const now = Date.now();
    this.#change("access", {
      status: "completed",
      outcome: "fulfilled",
      package: { expiresAt: iso(now + 14 * dayMs), downloadsLeft: 5 },
    });
  }

  /** The erasure has begun. */
  beginErasure(): void {
    const [request] = this.requests.filter(({ type }) => type === "delete");
    if (request?.deletion)
      this.#change("delete", {
        status: "pending",
        deletion: { ...request.deletion, cancellable: false },
      });
  }

  #change(type: string, change: object): void {
    this.requests = this.requests.map((request) =>
      request.type === type ? OwnRequest.parse({ ...request, ...change }) : request,
    );
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request();
    const part = new URL(request.url()).pathname.split("/").at(-1) ?? "";
    const status = this.instead.get(part);
    if (status !== undefined) {
      await route.fulfill({ status, json: { code: "not_found" } });
    } else if (part === "receipt" || (part === "package" && !this.stepUpDue)) {
      await route.fulfill({ contentType: "application/octet-stream", body: part });
    } else if (request.method() === "GET" && part !== "package") {
      await route.fulfill({ json: this.#shown(part) });
    } else if (this.stepUpDue && part !== "cancel-deletion") {
      await route.fulfill({ status: 403, json: { code: "step_up_required" } });
    } else await this.#carryOut(route, part);
  }

  #shown(part: string) {
    if (part === "requests") return { requests: this.requests };
    if (part === "held")
      return { sections: this.isNew ? [] : held.sections, missing: this.missing };
    return this.isNew ? { consents: [] } : consents;
  }

  async #carryOut(route: Route, part: string): Promise<void> {
    const body: unknown = route.request().postDataJSON();
    const now = Date.now();
    if (part === "delete" || part === "waive-grace") {
      if (Retyped.parse(body).email !== exampleAccount.email) {
        await route.fulfill({ status: 422, json: { code: "email_differs" } });
        return;
      }
    }
    if (part === "access" || part === "correct" || part === "delete")
      this.requests = [made({ type: part, now }), ...this.requests];
    if (part === "correct") this.correction = z.object({ fields: Correction }).parse(body).fields;
    if (part === "cancel-deletion")
      this.#change("delete", { status: "completed", outcome: "cancelled" });
    if (part === "waive-grace") this.beginErasure();
    if (part === "withdraw") this.#change("correct", { status: "completed", outcome: "withdrawn" });
    await route.fulfill({ json: { request: this.requests[0] } });
  }
}
