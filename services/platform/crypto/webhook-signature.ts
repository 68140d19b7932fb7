import { createHmac } from "node:crypto";

import { secretsEqual } from "./secrets.ts";

/** How old a signed body may be, and how far in the future another machine's clock may put it. */
const oldestSeconds = 300;
const futureSeconds = 60;

/**
 * The signature of a webhook in Stripe's form: `t=<seconds>,v1=<HMAC-SHA-256 of "t.body">`
 * (docs.stripe.com/webhooks, "Verify manually").
 * @param seconds since 1970
 */
export function signWebhook(secret: string, body: string | Buffer, seconds: number): string {
  return `t=${seconds},v1=${digestOf(secret, body, seconds)}`;
}

function digestOf(secret: string, body: string | Buffer, seconds: number): string {
  return createHmac("sha256", secret).update(`${seconds}.`).update(body).digest("hex");
}

/**
 * Checks a signature of {@link signWebhook} over the raw bytes of a body. Several `v1` are allowed,
 * while a secret is replaced.
 * @returns why it is refused, or undefined
 */
export function refuseWebhook(
  secret: string,
  signature: string | string[] | undefined,
  body: Buffer,
  nowMs: number,
): "signature" | "too-old" | "from-the-future" | undefined {
  const parts = (typeof signature === "string" ? signature : "").split(",");
  const seconds = Number(/^t=(\d{1,12})$/.exec(parts[0] ?? "")?.[1]);
  const digests = parts.filter((part) => part.startsWith("v1=")).map((part) => part.slice(3));
  if (!Number.isSafeInteger(seconds)) return "signature";
  const expected = digestOf(secret, body, seconds);
  if (!digests.some((digest) => secretsEqual(digest, expected))) return "signature";
  return refuseAge(seconds, nowMs);
}

/**
 * Stripe's own client accepts any time in the future, so that a body with a later time would stay valid
 * for longer.
 * @param seconds of the signature, since 1970
 */
export function refuseAge(
  seconds: number,
  nowMs: number,
): "too-old" | "from-the-future" | undefined {
  const ageSeconds = Math.floor(nowMs / 1000) - seconds;
  if (ageSeconds > oldestSeconds) return "too-old";
  return ageSeconds < -futureSeconds ? "from-the-future" : undefined;
}

/**
 * The signature of a message in the form of the Standard Webhooks: `v1,<HMAC-SHA-256 of "id.t.body" in
 * base64>`, one for each secret (github.com/standard-webhooks, "Signature scheme").
 * @param secrets `whsec_` and a key in base64
 * @param seconds since 1970
 */
export function signStandardWebhook(
  secrets: readonly string[],
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string },
): string {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
  });
  return signatures.join(" ");
}
