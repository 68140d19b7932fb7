import type { DemoLink } from "@pro-talent/platform/runtime/demo";
import type { Channel, DeviceClass } from "@pro-talent/schemas/analytics/row";
import { type Exclusion, noVisitor, OpenRow } from "@pro-talent/schemas/links/opens";
import { ViewingRow } from "@pro-talent/schemas/links/viewing";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { v4 as uuidV4, v7 as uuidV7 } from "uuid";
import type { z } from "zod";

const unknown = {
  visitor_id: noVisitor,
  country: "",
  region: "",
  city: "",
  referrer_domain: "",
  channel: "direct" as const,
};

type Invented = { readonly opens: OpenRow[]; readonly reports: ViewingRow[] };
type Random = () => number;

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const pagesTotal = 2;

/** Where people are, with the hour UTC at which their day of work begins. */
const places = [
  { country: "IL", region: "Tel Aviv", city: "Tel Aviv", from: 6, weight: 6 },
  { country: "IL", region: "Haifa District", city: "Haifa", from: 6, weight: 2 },
  { country: "US", region: "California", city: "San Francisco", from: 16, weight: 2 },
  { country: "US", region: "New York", city: "New York", from: 13, weight: 2 },
] as const;
const devices: readonly { device: DeviceClass; browser: string; os: string; weight: number }[] = [
  { device: "desktop", browser: "Chrome", os: "Windows", weight: 5 },
  { device: "desktop", browser: "Safari", os: "macOS", weight: 3 },
  { device: "mobile", browser: "Mobile Safari", os: "iOS", weight: 4 },
  { device: "mobile", browser: "Chrome", os: "Android", weight: 3 },
];
type Arrival = {
  readonly referrer_domain: string;
  readonly channel: Channel;
  readonly weight: number;
};
const direct: Arrival = { referrer_domain: "", channel: "direct", weight: 1 };
const arrivals: Readonly<Record<DemoLink["story"], readonly Arrival[]>> = {
  read: [
    { referrer_domain: "", channel: "direct", weight: 5 },
    { referrer_domain: "mail.google.com", channel: "email", weight: 4 },
  ],
  ignored: [direct],
  public: [
    { referrer_domain: "linkedin.com", channel: "social", weight: 7 },
    { referrer_domain: "google.com", channel: "search", weight: 2 },
    { referrer_domain: "", channel: "direct", weight: 3 },
  ],
};

/** How many people open a link within 180 days, and the machines before them. */
const peopleOf = { read: 4, ignored: 0, public: 90 } as const;
const machines: readonly { exclusion: Exclusion; afterMs: number; browser: string }[] = [
  { exclusion: "preview", afterMs: 40_000, browser: "WhatsApp" },
  { exclusion: "mail-scanner", afterMs: 95_000, browser: "Chrome" },
  { exclusion: "owner", afterMs: 20_000, browser: "Chrome" },
];

/** The past of one link, the same at each call: machines first, then people, some of them more than once. */
export function inventOpens(link: DemoLink, nowMs: number, seed: number): Invented {
  const random = numbersFrom(seed);
  const invented: Invented = { opens: [], reports: [] };
  for (const { exclusion, afterMs, browser } of machines) {
    const about = { exclusion, browser, device_class: "other" as const, os: "" };
    const atMs = link.createdMs + afterMs;
    add(invented, link, random, { ...unknown, ...about, atMs });
  }
  const agedMs = nowMs - link.createdMs;
  const crawls = link.story === "public" ? Math.floor(agedMs / (9 * dayMs)) : 0;
  for (let crawl = 1; crawl <= crawls; crawl += 1) {
    const exclusion = crawl % 3 === 0 ? ("assistant" as const) : ("crawler" as const);
    const about = { exclusion, browser: "", device_class: "other" as const, os: "" };
    const atMs = link.createdMs + (crawl - random()) * 9 * dayMs;
    add(invented, link, random, { ...unknown, ...about, atMs });
  }
  const people =
    link.story === "public"
      ? Math.ceil((peopleOf.public * agedMs) / (180 * dayMs))
      : peopleOf[link.story];
  for (let person = 0; person < people; person += 1) {
    const within = link.story === "public" ? agedMs : Math.min(agedMs, 20 * dayMs);
    visit(invented, link, { random, nowMs, firstMs: link.createdMs + within * random() ** 1.5 });
  }
  return invented;
}

type Visit = { readonly random: Random; readonly nowMs: number; readonly firstMs: number };

/** One person, who may come back: within two days as the same visitor, later as another one. */
function visit(invented: Invented, link: DemoLink, { random, nowMs, firstMs }: Visit): void {
  const { from, country, region, city } = drawn(places, random);
  const { device, browser, os } = drawn(devices, random);
  const about = { browser, os, device_class: device, country, region, city };
  let arrival = drawn(arrivals[link.story], random);
  let visitor_id = uuidV4({ random: bytesFrom(random) });
  let atMs = atWork(firstMs, from, random);
  for (let time = 0; time < 4 && atMs < nowMs; time += 1) {
    const { referrer_domain, channel } = arrival;
    const open = { ...about, referrer_domain, channel, visitor_id, exclusion: "" as const };
    const row = add(invented, link, random, { ...open, atMs });
    if (link.leadsTo === "file" && random() < 0.85) view(invented, row, random);
    const repeatedMs = atMs + 6 * 60_000;
    if (random() < 0.15 && repeatedMs < nowMs) {
      const again = { exclusion: "repeated" as const, visitor_id: noVisitor };
      add(invented, link, random, { ...open, ...again, atMs: repeatedMs });
    }
    if (random() < 0.45) return;
    arrival = direct;
    if (random() < 0.6) {
      atMs += (1 + 7 * random()) * hourMs;
    } else {
      atMs = atWork(atMs + (3 + 5 * random()) * dayMs, from, random);
      visitor_id = uuidV4({ random: bytesFrom(random) });
    }
  }
}

type About = Omit<
  z.input<typeof OpenRow>,
  "event_id" | "link_id" | "account_id" | "occurred_at" | "leads_to" | "reasons"
> & {
  readonly atMs: number;
};

function add(
  { opens }: Invented,
  { linkId, accountId, leadsTo }: DemoLink,
  random: Random,
  { atMs, ...about }: About,
): OpenRow {
  const row = OpenRow.parse({
    ...about,
    event_id: uuidV7({ msecs: Math.round(atMs), random: bytesFrom(random) }),
    link_id: linkId,
    account_id: accountId,
    occurred_at: instantFromMs(Math.round(atMs)),
    leads_to: leadsTo,
    reasons: [],
  });
  opens.push(row);
  return row;
}

/** The page is seen for some seconds to some minutes, most of it, and sometimes saved. */
function view({ reports }: Invented, open: OpenRow, random: Random): void {
  const seconds = Math.round(8 + 220 * random() ** 2);
  reports.push(
    ViewingRow.parse({
      report_id: uuidV4({ random: bytesFrom(random) }),
      event_id: open.event_id,
      link_id: open.link_id,
      account_id: open.account_id,
      opened_at: open.occurred_at,
      reported_at: instantFromMs(Date.parse(open.occurred_at) + seconds * 1000),
      seconds,
      pages: seconds > 25 ? pagesTotal : 1,
      pages_total: pagesTotal,
      downloaded: random() < 0.3,
    }),
  );
}

/** The same hour of work on that day, or on Monday after a weekend. */
function atWork(ms: number, fromHour: number, random: Random): number {
  const day = Math.floor(ms / dayMs) * dayMs;
  const weekday = new Date(day).getUTCDay();
  const shift = weekday === 6 ? 2 : weekday === 5 && random() < 0.7 ? 3 : 0;
  const hour = fromHour + 10 * random() ** 1.3;
  return Math.max(ms, day + shift * dayMs + hour * hourMs);
}

/** One of a list, by weight. */
function drawn<Item extends { readonly weight: number }>(
  items: readonly Item[],
  random: Random,
): Item {
  let left = random() * items.reduce((sum, { weight }) => sum + weight, 0);
  const found = items.find(({ weight }) => (left -= weight) < 0);
  if (found === undefined) throw new Error("Nothing to draw from");
  return found;
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function numbersFrom(seed: number): Random {
  let state = seed * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const bytesFrom = (random: Random): Uint8Array =>
  Uint8Array.from({ length: 16 }, () => Math.floor(256 * random()));
