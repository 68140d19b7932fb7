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

/** Where the proof of the text is in the data of an event with which a text is agreed to. */
const consents = [
  ["the opening of an account", AccountEvent, "account-opened.v2.json", "documents.0"],
  ["a checkout", BillingEvent, "consent-given.v1.json", ""],
  ["the newsletter", NewsletterEvent, "subscription-requested.v1.json", "agreed"],
  ["analytics", ConsentEvent, "consent-granted.v1.json", "notice"],
] as const;

/** A copy of the data without one part of the proof. */
function without(data: Record<string, unknown>, at: string, part: string): unknown {
  const copy: unknown = structuredClone(data);
  const found = at
    .split(".")
    .filter((name) => name !== "")
    .reduce<unknown>((value, name) => Reflect.get(Object(value), name), copy);
  Reflect.deleteProperty(Object(found), part);
  return copy;
}

it.each(consents)(
  "a consent to %s names version, language and hash of the text, or is none",
  (_to, contract, file, at) => {
    const event = frozen(file);
    expect(contract.safeParse(event).success).toBe(true);
    for (const part of textParts) {
      const data = without(event.data, at, part);
      expect([part, contract.safeParse({ ...event, data }).success]).toEqual([part, false]);
    }
  },
);
