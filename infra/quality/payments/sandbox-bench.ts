import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sandboxPayments } from "@pro-talent/ledger/domains/billing/payments/sandbox";
import { openSandbox } from "@pro-talent/payments-sandbox/service";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { sandboxSignatureHeader } from "@pro-talent/schemas/payments-sandbox/objects";

import type { ProviderBench } from "./provider-bench.ts";
import { startWebhookReceiver } from "./webhook-receiver.ts";

const key = "sandbox-key-of-tests-0123456789abcdef";
const webhookSecret = "sandbox-webhook-secret-0123456789abcdef";
const publicOrigin = "https://pro-talent.example";

export type SandboxBench = ProviderBench & {
  readonly url: string;
  /** Closes the service and opens it again on the same file. */
  readonly restart: () => Promise<void>;
  readonly file: string;
  readonly refuseHints: (count: number) => void;
  readonly control: (path: string, body: object) => Promise<unknown>;
};

/** The sandbox, running over HTTP with a clock of its own. */
export async function startSandboxBench(startMs: number): Promise<SandboxBench> {
  const directory = await mkdtemp(join(tmpdir(), "payments-sandbox-"));
  const file = join(directory, "sandbox.jsonl");
  const receiver = await startWebhookReceiver();
  let nowMs = startMs;
  const log = createLogger({ service: "test", level: "silent" });
  const variables = {
    SANDBOX_FILE: file,
    SANDBOX_KEY: key,
    SANDBOX_WEBHOOK_SECRET: webhookSecret,
    SANDBOX_WEBHOOK_URL: receiver.url,
    PUBLIC_ORIGIN: publicOrigin,
    SANDBOX_SLOW_MS: "600",
  };
  let service = await openSandbox(variables, log, () => nowMs);
  const url = await service.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = new URL(url);

  const control: SandboxBench["control"] = (path, body) => postControl(url, path, body);

  return {
    provider: sandboxPayments({ url, key, webhookSecret, answerWithinMs: 400 }),
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
    press: (checkoutId, card) =>
      postForm(url, `/sandbox-payments/checkout/${checkoutId}`, { card }),
    answerChallenge: (actionUrl, approved) =>
      postForm(url, new URL(actionUrl).pathname, { answer: approved ? "approve" : "refuse" }),
    dispute: async (paymentId, status) => {
      await control("disputes", { paymentId, status });
    },
    loseNextAnswer: async () => {
      await control("faults", { fault: "answer-lost" });
    },
    arrived: receiver.arrived,
    holdHints: async () => {
      await control("webhooks", { hold: true });
    },
    releaseHintsReversedTwice: async () => {
      await control("webhooks", { hold: false, reverse: true, copies: 2 });
    },
    webhookSecret,
    signatureHeader: sandboxSignatureHeader,
    url,
    file,
    control,
    refuseHints: receiver.refuseNext,
    restart: async () => {
      await service.close();
      service = await openSandbox(variables, log, () => nowMs);
      await service.app.listen({ host: "127.0.0.1", port: Number(port) });
    },
    close: async () => {
      await service.close();
      await receiver.close();
      await rm(directory, { recursive: true });
    },
  };
}

async function postForm(url: string, path: string, fields: Record<string, string>): Promise<void> {
  const body = new URLSearchParams(fields);
  const answer = await fetch(url + path, { method: "POST", body, redirect: "manual" });
  if (answer.status !== 303) throw new Error(`The page answered ${answer.status}`);
}

async function postControl(url: string, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${url}/sandbox-payments/test/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`The control answered ${answer.status}`);
  return answer.json();
}
