import { linkWebhookCalls, type WebhookView } from "@pro-talent/schemas/links/webhook-calls";
import type { BrowserContext } from "playwright-core";
import { z } from "zod";

import { type AnsweredCall, answerCalls } from "./answer-calls.ts";

const ids = {
  webhook: "7c9e6679-7425-40de-944b-e07fc1f91101",
  test: "7c9e6679-7425-40de-944b-e07fc1f91102",
  open: "7c9e6679-7425-40de-944b-e07fc1f91103",
  link: "7c9e6679-7425-40de-944b-e07fc1f91104",
};
const Url = z.object({ url: z.string() });
const Listed = linkWebhookCalls["GET /api/link-webhooks"].answer;

/** What the link of the example delivery is called. */
export const openedLink = "Acme Ltd. אקמי";
export const webhookSecrets = [
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
  "whsec_b3BlbmVkIGJ5IGEgcGVyc29uLCBvbmNlLCBhbmQgdGg=",
];

/** The calls about webhooks as journeys need them: what a person changes is remembered. */
export class WebhookAnswers {
  webhooks: WebhookView[] = [];
  included = true;
  /** What is answered instead of the list. */
  instead: number | undefined;
  #secrets = 0;

  async takeOver(context: BrowserContext): Promise<void> {
    await answerCalls(
      context,
      (path) => path.startsWith("/api/link-webhooks"),
      (route) => this.#answer(route),
    );
    const links = [{ linkId: ids.link, label: openedLink }];
    await answerCalls(context, "/api/links", (route) => route.fulfill({ json: { links } }));
  }

  /** A message that failed a day ago, as an owner finds it. */
  fail(): void {
    const [webhook] = this.webhooks;
    if (webhook === undefined) return;
    const changed = {
      ...webhook,
      paused: { reason: "failing", at: "2026-11-21T09:15:00.000Z" },
      deliveries: [
        {
          deliveryId: ids.open,
          open: {
            linkId: ids.link,
            at: "2026-11-18T09:15:00.000Z",
            country: "IL",
            device: "mobile",
          },
          status: "failed",
          requestedAt: "2026-11-18T09:15:20.000Z",
          attempts: 10,
          last: { at: "2026-11-21T09:15:00.000Z", fault: "status", status: 503 },
          nextAt: null,
        },
      ],
    };
    this.webhooks = Listed.shape.webhooks.parse([changed]);
  }

  #change(change: Partial<WebhookView>): void {
    this.webhooks = this.webhooks.map((webhook) => ({ ...webhook, ...change }));
  }

  async #answer(route: AnsweredCall): Promise<void> {
    const request = route.request();
    const { pathname } = new URL(request.url());
    const call = `${request.method()} ${pathname.replace(/^.*\//u, "")}`;
    if (call === "GET link-webhooks") {
      const { webhooks, included } = this;
      const list = { webhooks, webhooksMax: 5, included };
      await route.fulfill(
        this.instead === undefined
          ? { json: list }
          : { status: this.instead, json: { code: "not_found" } },
      );
      return;
    }
    const secret = this.#carryOut(call, request.postDataJSON());
    const [webhook] = this.webhooks;
    await route.fulfill({ json: webhook ? { webhook, secret } : { status: "done" } });
  }

  /** @returns the secret that the call makes */
  #carryOut(call: string, body: unknown): string | undefined {
    switch (call) {
      case "POST link-webhooks":
        this.webhooks = Listed.shape.webhooks.parse([
          {
            webhookId: ids.webhook,
            url: Url.parse(body).url,
            createdAt: "2026-11-18T09:00:00.000Z",
            paused: null,
            formerSecretUntil: null,
            deliveries: [],
          },
        ]);
        return this.#newSecret();
      case "POST secret":
        this.webhooks = Listed.shape.webhooks.parse(
          this.webhooks.map((webhook) => ({
            ...webhook,
            formerSecretUntil: "2026-11-23T09:15:00.000Z",
          })),
        );
        return this.#newSecret();
      case "POST resume":
        this.#change({ paused: null });
        return undefined;
      case "POST test":
      case "POST replay":
        this.#deliver(call === "POST test");
        return undefined;
      default:
        this.webhooks = [];
        return undefined;
    }
  }

  #newSecret(): string | undefined {
    this.#secrets += 1;
    return webhookSecrets[this.#secrets - 1];
  }

  /** A message arrives at once. */
  #deliver(isTest: boolean): void {
    const [webhook] = this.webhooks;
    const [known] = webhook?.deliveries ?? [];
    const at = "2026-11-22T09:15:00.000Z";
    const message =
      isTest || known === undefined
        ? { deliveryId: ids.test, open: null, requestedAt: at }
        : { deliveryId: known.deliveryId, open: known.open, requestedAt: known.requestedAt };
    const delivered = {
      ...message,
      status: "delivered",
      attempts: 1,
      last: { at, fault: null, status: 204 },
      nextAt: null,
    };
    this.webhooks = Listed.shape.webhooks.parse(
      this.webhooks.map((one) => ({ ...one, deliveries: [delivered] })),
    );
  }
}
