import { z } from "zod";

import { roles } from "../primitives/access.ts";
import { Day } from "../primitives/calendar.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";
import { Traces } from "../primitives/traces.ts";
import { Correctable, Correction } from "../privacy/correction.ts";
import { searchCall } from "../privacy/erasure-search.ts";
import { HeldSection } from "../privacy/held-data.ts";
import { Invitation } from "../waitlist/events.ts";
import { Email } from "./calls.ts";
import { TimeZone } from "./profile.ts";

const Contact = z.object({
  email: z.string(),
  fullName: z.string(),
  address: z.string(),
  language: Locale,
  timeZone: TimeZone,
});

/** For the other services. */
export const internalAccountCalls = defineCalls({
  "POST /internal/accounts/invitations": {
    summary: "Mails an invitation; repeated with the same id it changes nothing",
    access: "internal",
    body: Invitation.extend({ email: Email, language: Locale }),
    answer: z.discriminatedUnion("status", [
      z.object({ status: z.literal("mailed") }),
      /** Its holder gets the notice of the launch instead. */
      z.object({ status: z.literal("has-account"), accountId: Uuid }),
    ]),
  },
  "GET /internal/accounts/:accountId/contact": {
    summary: "How an account holder is addressed; nothing of an account that is gone",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    answer: Contact,
  },
});

/** For officers, who find the requests of who writes to them, and for forms whose address was verified. */
export const internalLookupCalls = defineCalls({
  "POST /internal/accounts/lookup": {
    summary: "The account with an address, if there is one",
    access: "internal",
    body: z.object({ email: Email }),
    answer: z.object({ accountId: Uuid.nullable() }),
  },
});

/** For what a holder is shown of everything that is held about them. */
export const internalHeldCalls = defineCalls({
  "GET /internal/accounts/:accountId/held": {
    summary: "What the service holds about an account, in readable form",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    answer: z.object({ sections: z.array(HeldSection) }),
  },
  "GET /internal/accounts/:accountId/photo": {
    summary: "The photo of a profile, published or not",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    file: "image/webp",
    answer: z.never(),
  },
});

/** For corrections, which the ledger decides. */
export const internalCorrectionCalls = defineCalls({
  "GET /internal/accounts/:accountId/correctable": {
    summary: "What an account holds of the fields that can be corrected",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    answer: Correctable,
  },
  "POST /internal/accounts/:accountId/corrections": {
    summary: "Replaces values that are still as they were reviewed; repeated it changes nothing",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    body: z.object({ held: Correction, asked: Correction }),
    /** As it is held afterwards. `outdated`: a value is neither the one nor the other; none is changed. */
    answer: z.object({ status: z.enum(["corrected", "outdated"]), now: Correctable }),
  },
});

/** For the erasure of an account, which the ledger decides. All may be repeated. */
export const internalClosingCalls = defineCalls({
  "GET /internal/accounts/:accountId/closing": {
    summary: "How the holder of an account is addressed until it is erased, closed or not",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    answer: Contact,
  },
  "POST /internal/accounts/:accountId/closing": {
    summary: "Ends every way into an account: sessions, tokens and mailed links",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    body: z.object({}),
    answer: z.object({ status: z.literal("closed") }),
  },
  "DELETE /internal/accounts/:accountId": {
    summary: "Erases an account with its key and everything that belongs to it",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    answer: z.object({
      /** Rows of all tables, before and after. */
      found: z.int().nonnegative(),
      left: z.int().nonnegative(),
    }),
  },
});

/** For the search that ends an erasure. */
export const internalSearchCalls = defineCalls({
  "GET /internal/accounts/:accountId/traces": {
    summary: "Words that name the holder of an account alone, until it is erased, closed or not",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    answer: Traces,
  },
  "POST /internal/accounts/searches": {
    summary: "Searches what the accounts service stores for what was erased",
    ...searchCall,
  },
});

/** For the ledger: accounts that are not used. Opens of their links by others are no use. */
export const internalUseCalls = defineCalls({
  "POST /internal/accounts/unused": {
    summary: "Open accounts that were last used before a day, in the order of their ids",
    access: "internal",
    body: z.object({ before: Day, after: Uuid.nullable() }),
    answer: z.object({
      accounts: z.array(z.object({ accountId: Uuid, activeOn: Day })),
      more: z.boolean(),
    }),
  },
  "GET /internal/accounts/:accountId/last-use": {
    summary: "The UTC day on which an open account was last used",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    answer: z.object({ activeOn: Day }),
  },
});

/** For warnings to privacy officers. */
export const internalStaffCalls = defineCalls({
  "GET /internal/accounts/officers": {
    summary: "The accounts of privacy officers, who are warned of requests that wait",
    access: "internal",
    answer: z.object({ accountIds: z.array(Uuid) }),
  },
  "GET /internal/accounts/:accountId/roles": {
    summary: "The roles of an account; none of one that is gone",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    answer: z.object({ roles: z.array(z.enum(roles)) }),
  },
});

/** For the insights service: when account holders looked at the opens of their links. */
export const internalLookedCalls = defineCalls({
  "GET /internal/accounts/:accountId/looked": {
    summary: "When an account holder last looked at the opens of their links",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    answer: z.object({
      /** At all of them together. */
      allAt: Instant.nullable(),
      links: z.array(z.object({ linkId: Uuid, at: Instant })),
    }),
  },
  "POST /internal/accounts/:accountId/looked": {
    summary: "An account holder looks at the opens of a link now, or of all links",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    body: z.object({ linkId: Uuid.nullable() }),
    answer: z.object({ status: z.literal("recorded") }),
  },
});

/** Recognises the owner of a link in a browser that is signed in; authorises nothing. */
export const ownerCookie = "owner";

/** For the collector. */
export const internalOwnerCalls = defineCalls({
  "POST /internal/accounts/owner": {
    summary: "The account that is signed in, in the browser with this cookie",
    access: "internal",
    body: z.object({ cookie: z.string().max(200) }),
    answer: z.object({ accountId: Uuid.nullable() }),
  },
});
