import { z } from "zod";

import { Channel, DeviceClass } from "../analytics/row.ts";
import { Instant } from "../primitives/instant.ts";
import { linkTargets } from "./events.ts";

/** Why a request for a link is no open by a person; owners see each of them. */
export const exclusions = [
  /** A chat or a social network drew a preview. */
  "preview",
  /** A mail server or program looked for harmful links. */
  "mail-scanner",
  "crawler",
  "monitor",
  /** A browser fetched it before it was asked for. */
  "prefetch",
  /** Only the headers were asked for. */
  "head",
  /** An AI agent, or an assistant for someone. */
  "assistant",
  /** A program, or a browser without a person. */
  "automation",
  /** An address of a data centre: a program, or a scanner that names itself a browser. */
  "network",
  /** The owner of the link, in a browser that is signed in. */
  "owner",
  /** The same visitor within half an hour. */
  "repeated",
] as const;
export type Exclusion = (typeof exclusions)[number];

/** No one's: of requests that are excluded, and of people who refuse to be recognised. */
export const noVisitor = "00000000-0000-0000-0000-000000000000";

/** One request for a share link, as ClickHouse stores it. No address, no user agent. */
export const OpenRow = z.object({
  event_id: z.uuid(),
  /** Of an open of a portfolio at its own address, the id of its owner. */
  link_id: z.uuid(),
  /** The owner. */
  account_id: z.uuid(),
  occurred_at: Instant,
  leads_to: z.enum(linkTargets),
  /** Empty for an open by a person. */
  exclusion: z.enum(["", ...exclusions]),
  /** What the exclusion is based on. */
  reasons: z.array(z.string()),
  /**
   * The same for requests that were recognised as one visitor's, of this link alone: random, or of
   * someone who consented to analytics a keyed hash (UUID version 8).
   */
  visitor_id: z.uuid(),
  browser: z.string(),
  os: z.string(),
  device_class: DeviceClass,
  country: z.string(),
  region: z.string(),
  city: z.string(),
  referrer_domain: z.string(),
  channel: Channel,
});
export type OpenRow = z.infer<typeof OpenRow>;
