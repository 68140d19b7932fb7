import { z } from "zod";

import { Locale } from "../primitives/locale.ts";
import { accountLimits as limit } from "./limits.ts";

/** An IANA time zone that this runtime knows. */
export const TimeZone = z.string().max(64).refine(isTimeZone, "an IANA time zone");

/** Of browsers and servers alike. */
declare const Intl: {
  DateTimeFormat: new (
    locale: string,
    options: { timeZone: string },
  ) => { readonly format: (ms: number) => string };
};

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}

/** The name in the address of the public page: Latin letters, digits and single hyphens. */
export const Handle = z
  .string()
  .trim()
  .toLowerCase()
  .min(limit.handleCharsMin)
  .max(limit.handleCharsMax)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);

/** Handles that are pages, could be taken for the product, or are addresses of mail servers. */
export const reservedHandles: ReadonlySet<string> = new Set(
  (
    "about abuse account accounts admin administrator analyst api app assets billing blog brand careers " +
    "checkout console contact cookie-policy dashboard developer do-not-sell en essential free he help " +
    "hostmaster join jobs legal links login logout mail me news newsletter null officer official " +
    "payments postmaster premium press pricing privacy pro-talent protalent root sales security " +
    "settings signin signup site staff status support system team terms undefined webmaster www you"
  ).split(" "),
);

const line = (max: number) => z.string().trim().max(max);

/** What an account holder states of themself; empty where nothing is stated. */
export const Profile = z.object({
  fullName: line(limit.nameCharsMax).min(1),
  phone: line(limit.phoneCharsMax),
  address: line(limit.addressCharsMax),
  language: Locale,
  timeZone: TimeZone,
  /** Null until one is chosen. */
  handle: Handle.nullable(),
});
export type Profile = z.infer<typeof Profile>;
