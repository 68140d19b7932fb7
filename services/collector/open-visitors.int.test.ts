import { createHmac } from "node:crypto";
import { Agent, get } from "node:http";

import { unseal } from "@pro-talent/platform/crypto/seal";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { analyticsPaths } from "@pro-talent/schemas/analytics/wire";
import { noVisitor } from "@pro-talent/schemas/links/opens";
import { afterAll, beforeAll, expect, it } from "vitest";

import { navigationHeaders } from "./ingest/enrich/testing/opens-corpus.ts";
import type { Links } from "./links/resolve-links.ts";
import { destroyRecognition } from "./links/visitors.ts";
import { deriveKeys } from "./session/identity.ts";
import { browserHeaders, tokenSecret } from "./testing/collector-under-test.ts";
import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";

const linkIds = {
  first: "00000000-0000-4000-8000-000000000001",
  second: "00000000-0000-4000-8000-000000000002",
  busy: "00000000-0000-4000-8000-000000000003",
};
const accountId = "00000000-0000-4000-8000-000000000009";
const person = navigationHeaders(browserHeaders["user-agent"]);
const isLink = (code: string): code is keyof typeof linkIds => Object.hasOwn(linkIds, code);
const links: Links = {
  resolve: async (code) =>
    isLink(code)
      ? {
          status: "active",
          linkId: linkIds[code],
          accountId,
          locked: false,
          target: "external",
          url: "https://example.com/cv",
          file: null,
          expiresAt: null,
        }
      : { status: "unknown" },
  unlock: async () => false,
  file: async () => Buffer.of(),
  report: async () => undefined,
};
const hourMs = 60 * 60_000;
const evening = Date.UTC(2026, 2, 1, 23, 20);

let stack: CollectorsAndLedger;
let sql: Sql;
beforeAll(async () => {
  stack = await startCollectorsAndLedger({ links });
  sql = openPool(stack.setting.databaseUrl, { max: 1, applicationName: "test" });
  stack.collector.time.atMs = evening;
});
afterAll(async () => {
  await sql.end();
  await stack.stop();
});

it("1,000 visitors who come before and after midnight are 1,000, whatever addresses they claim", async () => {
  const { collector } = stack;
  const origin = await collector.server.listen({ host: "127.0.0.1", port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const open = (visitor: number) =>
    new Promise<number | undefined>((resolve, reject) => {
      const forged = `198.51.100.${Math.floor(Math.random() * 250)}`;
      const headers = {
        ...person,
        "true-client-ip": forged,
        "x-real-ip": forged,
        // The last one is what the trusted proxy has seen.
        "x-forwarded-for": `${forged}, 10.0.${visitor >> 8}.${visitor & 255}`,
      };
      const answered = get(`${origin}/l/busy`, { agent, headers }, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode));
      });
      answered.on("error", reject);
    });
  const everyone = () => Promise.all(Array.from({ length: 1_000 }, (_, visitor) => open(visitor)));
  const statuses = new Set(await everyone());
  collector.time.atMs = evening + hourMs;
  for (const status of await everyone()) statuses.add(status);
  collector.time.atMs = evening;
  agent.destroy();
  const opens = (await collector.spooled()).opens.filter(({ link_id: id }) => id === linkIds.busy);
  expect([...statuses]).toEqual([302]);
  expect(new Set(opens.map(({ visitor_id: id }) => id)).size).toBe(1_000);
  expect(opens.filter(({ exclusion }) => exclusion === "")).toHaveLength(2_000);
}, 60_000);

const people = Array.from({ length: 20 }, (_, person) => `10.9.0.${person}`);
const languages = person["accept-language"];

/** Each person opens both links and, with consent, looks at a page of the site. */
async function visitEverything(): Promise<void> {
  const { collector } = stack;
  for (const address of people) {
    const headers = { "x-forwarded-for": address };
    for (const code of ["first", "second"])
      await collector.server.inject({ url: `/l/${code}`, headers: { ...person, ...headers } });
    const { sessionId } = await collector.start({ anonymousId: `person-${address}` }, headers);
    await collector.consent(sessionId, { hasConsent: true, consentType: "detailed" }, headers);
    await collector.track(analyticsPaths.trackPageView, { sessionId, page: "/about" }, headers);
  }
}

/** The values of a person's rows that no other person's rows have. */
function ownValues(rows: readonly object[]): Set<unknown>[] {
  const sets = rows.map((row) => new Set(Object.values<unknown>({ ...row })));
  return sets.map(
    (own) => new Set([...own].filter((value) => sets.filter((set) => set.has(value)).length === 1)),
  );
}

/** How many people are found in both links with what is in Postgres, the collector's secret and their address. */
async function joinedByKey(): Promise<number> {
  const { saltKeys } = deriveKeys([tokenSecret]);
  const salts = await sql<{ day: string; sealed: Buffer }[]>`
    select day::text, sealed from collector.open_salt`;
  const rows = await sql<{ key: Buffer }[]>`select key from collector.open_visitor`;
  const known = new Set(rows.map(({ key }) => key.toString("hex")));
  const secrets = [
    ...saltKeys,
    ...salts.flatMap(({ day, sealed }) => saltKeys.map((key) => unseal(key, sealed, day))),
  ];
  const isKnown = (linkId: string, address: string): boolean =>
    secrets.some((secret) => {
      const text = JSON.stringify([linkId, address, browserHeaders["user-agent"], languages]);
      const key = createHmac("sha256", secret).update(text).digest("hex").slice(0, 32);
      return known.has(key);
    });
  return people.filter((one) => isKnown(linkIds.first, one) && isKnown(linkIds.second, one)).length;
}

it("after the salt's end no row of one link can be joined to another's, nor to a visit of the site", async () => {
  await visitEverything();
  const { opens, events } = await stack.collector.spooled();
  const rowsOf = (linkId: string) => opens.filter(({ link_id: id }) => id === linkId);
  const [first, second] = [rowsOf(linkIds.first), rowsOf(linkIds.second)];
  const views = events.filter(({ kind }) => kind === "page_view");
  expect([first.length, second.length, views.length]).toEqual([20, 20, 20]);
  const stores = [first, second, views].map((rows) => ownValues(rows));
  for (const index of people.keys()) {
    const [inFirst, inSecond, onSite] = stores.map((store) => store[index] ?? new Set());
    expect(inFirst?.size).toBeGreaterThan(1);
    for (const other of [inSecond, onSite])
      expect([...(inFirst ?? [])].filter((value) => other?.has(value))).toEqual([]);
    expect([...(inSecond ?? [])].filter((value) => onSite?.has(value))).toEqual([]);
  }
  // With the salt of the day they can be joined; it is destroyed, and with it what was made from it.
  expect(await joinedByKey()).toBe(20);
  await destroyRecognition(sql, evening + 48 * hourMs);
  expect(await joinedByKey()).toBe(0);
});

it("who consented is one visitor of a link until they withdraw, and a made-up id is none", async () => {
  const { collector } = stack;
  const seen = new Set<string>();
  const dayMs = 24 * hourMs;
  /** The visitor that an open after some days is stored with. */
  const open = async (code: keyof typeof linkIds, headers: object, days = 0): Promise<string> => {
    collector.time.atMs = evening + days * dayMs;
    await collector.server.inject({ url: `/l/${code}`, headers: { ...person, ...headers } });
    const rows = (await collector.spooled()).opens.filter(({ event_id: id }) => !seen.has(id));
    for (const { event_id: id } of rows) seen.add(id);
    return rows.findLast(({ link_id: id }) => id === linkIds[code])?.visitor_id ?? "none";
  };
  const at = (address: string, anonymousId: string) => ({
    "x-forwarded-for": address,
    cookie: `lang=en; reader=${anonymousId}`,
  });
  const [home, office, cafe] = ["10.7.0.1", "10.7.0.2", "10.7.0.3"];
  const dana = "consenting-dana";
  const without = await open("first", at(home, dana));
  const { sessionId } = await collector.start({ anonymousId: dana });
  await collector.consent(sessionId, { hasConsent: true, consentType: "detailed" });
  await collector.track(analyticsPaths.trackPageView, { sessionId, page: "/about" });

  const first = await open("first", at(home, dana));
  expect(first).not.toBe(without);
  expect(await open("first", at(office, dana), 1)).toBe(first);
  expect(await open("first", at(cafe, dana), 10)).toBe(first);
  const second = await open("second", at(home, dana), 10);
  const onSite = (await collector.spooled()).events.map(({ visitor_id: id }) => id);
  expect(new Set([first, second, ...onSite]).size).toBe(new Set(onSite).size + 2);
  expect(await open("first", { ...at(home, dana), dnt: "1" }, 10)).toBe(noVisitor);

  const madeUp = await open("first", at("10.7.0.9", "made-up-visitor-1"), 10);
  expect(await open("first", at("10.7.0.9", "made-up-visitor-2"), 10)).toBe(madeUp);

  const later = await collector.start({ anonymousId: dana });
  await collector.consent(later.sessionId, { hasConsent: false, consentType: "none" });
  const withdrawn = await open("first", at(cafe, dana), 20);
  expect([first, second, madeUp, without]).not.toContain(withdrawn);
});
