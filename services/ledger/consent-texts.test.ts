import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { AccountEvent } from "@pro-talent/schemas/accounts/events";
import { BillingEvent } from "@pro-talent/schemas/billing/events";
import { ConsentEvent } from "@pro-talent/schemas/consent/events";
import { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";
import { expect, it } from "vitest";
import { z } from "zod";

const here = fileURLToPath(new URL("domains/", import.meta.url));
const Frozen = z.object({
  newest: z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) }),
});

/** The event of a frozen example. */
function frozen(file: string) {
  const [path = ""] = globSync(`*/**/fixtures/${file}`, { cwd: here });
  return Frozen.parse(JSON.parse(readFileSync(here + path, "utf8"))).newest;
}

const textParts = ["version", "language", "textHash"] as const;

/** Events with which a text is agreed to. */
const consents = [
  ["the opening of an account", AccountEvent, "account-opened.v2.json"],
  ["a checkout", BillingEvent, "consent-given.v1.json"],
  ["the newsletter", NewsletterEvent, "subscription-requested.v2.json"],
  ["analytics", ConsentEvent, "consent-granted.v1.json"],
] as const;

/** The data without the fields of this name. */
const without = (data: Record<string, unknown>, part: string): unknown =>
  JSON.parse(JSON.stringify(data, (name, value: unknown) => (name === part ? undefined : value)));

it.each(consents)(
  "a consent to %s names version, language and hash of the text, or is none",
  (_to, contract, file) => {
    const event = frozen(file);
    expect(contract.safeParse(event).success).toBe(true);
    for (const part of textParts) {
      const data = without(event.data, part);
      expect([part, contract.safeParse({ ...event, data }).success]).toEqual([part, false]);
    }
  },
);
