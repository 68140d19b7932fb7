import { clickhouseMigrations } from "@pro-talent/collector/migrate";
import {
  type AskOwner,
  type Params,
  type Question,
  Questions,
  timeOf,
} from "@pro-talent/insights/ask";
import { breakdown } from "@pro-talent/insights/questions/breakdown";
import { excluded } from "@pro-talent/insights/questions/excluded";
import { fresh } from "@pro-talent/insights/questions/fresh";
import { firstOpenIn, opens as listedOpens } from "@pro-talent/insights/questions/opens";
import { places } from "@pro-talent/insights/questions/places";
import { series } from "@pro-talent/insights/questions/series";
import { totals } from "@pro-talent/insights/questions/totals";
import { viewing } from "@pro-talent/insights/questions/viewing";
import { lastDays, rangeOf, secondsOf } from "@pro-talent/insights/range";
import { type ClickHouseClient, connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { migrateClickhouse } from "@pro-talent/platform/clickhouse/migrate";
import { Day, dayPlus, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import { z } from "zod";

import { startClickhouse } from "../embedded/clickhouse/start-clickhouse.ts";
import { type BenchOptions, latencies } from "./figures.ts";
import { processCpuSeconds } from "./machine.ts";

const database = "bench";
const links = 100_000;
const linksPerAccount = 8;
const accounts = links / linksPerAccount;
/** The opens end on this day, and began 13 months before. */
const today = Day.parse("2026-03-31");
const spanDays = 395;
const endOfAll = startOfDay(dayPlus(today, 1), "UTC");
const zone = "Asia/Jerusalem";
const rounds = 60;

/**
 * Asks owners' questions on generated opens, as the service asks them but for its kept answers. Links are
 * opened unequally: the median one a few hundred times of a hundred million, the most popular one two
 * million times; every open is another visitor's, which is the most to count. Half of the owners that ask are any, half are as likely as their links are opened. The
 * owner of the most popular links is shown apart.
 */
export async function benchInsights({ directory, opens, record }: BenchOptions): Promise<void> {
  const server = await startClickhouse({ dataDir: directory });
  const options = { application: "bench", requestTimeoutMs: 900_000 };
  const admin = connectClickhouse(server.url, options);
  const service = connectClickhouse(server.url, { application: "bench", database });
  try {
    const topology = { kind: "single" } as const;
    await migrateClickhouse(admin, { database, directory: clickhouseMigrations, topology });
    const began = performance.now();
    await generate(admin, opens);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(`\nowners' questions on ${opens} opens of ${links} links, made in ${seconds} s`);
    const pid = server.pid() ?? 0;
    const before = await processCpuSeconds(pid);
    const asked = await measure(service);
    record("questionCpuMs", (((await processCpuSeconds(pid)) - before) * 1000) / asked);
  } finally {
    await service.close();
    await admin.close();
    await server.stop();
  }
}

/** Links and their owners by their place among the most popular ones. */
async function nameLinks(admin: ClickHouseClient): Promise<void> {
  await admin.command({
    query: `CREATE TABLE ${database}.named ENGINE = MergeTree ORDER BY place AS
      SELECT toUInt32(number) AS place, generateUUIDv4(number) AS link_id,
        first_value(generateUUIDv4(number + 1)) OVER (PARTITION BY intDiv(number, ${linksPerAccount})) AS account_id
      FROM numbers(${links})`,
  });
}

/** In parts of five million, each of one month or two: ClickHouse sorts a part in memory. */
async function generate(admin: ClickHouseClient, opens: number): Promise<void> {
  await nameLinks(admin);
  const parts = Math.ceil(opens / 5_000_000);
  for (let part = 0; part < parts; part += 1) {
    const from = Math.floor((opens * part) / parts);
    const count = Math.floor((opens * (part + 1)) / parts) - from;
    await admin.command({
      query: `INSERT INTO ${database}.link_opens SELECT
          generateUUIDv4(number) AS event_id, link_id, account_id,
          toDateTime64('${today} 00:00:00', 3, 'UTC')
            - toIntervalMillisecond(intDiv((${from} + number) * ${spanDays * 86_400_000}, ${opens})) AS occurred_at,
          if(place % 3 = 0, 'external', 'file') AS leads_to,
          multiIf(dice % 10 = 0, 'preview', dice % 10 = 1, 'mail-scanner', dice % 10 = 2, 'repeated', '') AS exclusion,
          [] AS reasons,
          if(exclusion != '', toUUID('00000000-0000-0000-0000-000000000000'),
            visitor) AS visitor_id,
          ['Chrome', 'Safari', 'Firefox', 'Edge'][1 + intDiv(dice, 16) % 4] AS browser, 'Windows' AS os,
          ['desktop', 'mobile', 'tablet'][1 + intDiv(dice, 64) % 3] AS device_class,
          ['IL', 'US', 'DE', 'GB', ''][1 + intDiv(dice, 256) % 5] AS country,
          concat('Region ', toString(intDiv(dice, 1280) % 12)) AS region,
          concat('City ', toString(intDiv(dice, 15360) % 40)) AS city,
          ['', 'linkedin.com', 'mail.google.com', 'indeed.com', 'example.org'][1 + intDiv(dice, 512) % 5] AS referrer_domain,
          ['direct', 'social', 'email', 'jobs', 'referral'][1 + intDiv(dice, 512) % 5] AS channel
        FROM (SELECT number, rand64(1) AS dice, generateUUIDv4(number + 2) AS visitor,
          toUInt32(floor(${links} * pow(rand(2) / 4294967296, 3))) AS place
          FROM numbers(${count})) AS drawn
        INNER JOIN ${database}.named AS named ON named.place = drawn.place`,
    });
  }
  await admin.command({
    query: `INSERT INTO ${database}.link_reports SELECT
        generateUUIDv4(), event_id, link_id, account_id, occurred_at,
        occurred_at + INTERVAL 20 SECOND, rand() % 300, 1 + rand() % 4, 4, rand() % 9 = 0
      FROM ${database}.link_opens
      WHERE leads_to = 'file' AND exclusion = '' AND cityHash64(event_id) % 10 < 8
      SETTINGS max_partitions_per_insert_block = 100`,
  });
}

/** An account, and one of its links. */
type Owner = {
  readonly accountId: string;
  readonly links: readonly string[];
  readonly link: string;
};

async function ownersOf(client: ClickHouseClient, places: readonly number[]): Promise<Owner[]> {
  const result = await client.query({
    query: `SELECT one.account_id AS accountId, one.link_id AS link, groupArray(each.link_id) AS links
      FROM named AS one INNER JOIN named AS each ON each.account_id = one.account_id
      WHERE one.place IN {places:Array(UInt32)}
      GROUP BY accountId, link`,
    query_params: { places },
    format: "JSONEachRow",
  });
  const Row = z.object({ accountId: z.string(), link: z.string(), links: z.array(z.string()) });
  return z.array(Row).parse(await result.json());
}

/** The questions of the overview about all links of an owner, and those of one link, for so many days. */
function questionsOf({ links: all, link }: Owner, days: number) {
  const given = { from: dayPlus(today, 1 - days), to: today, zone };
  const range = rangeOf(given, "day");
  if (range === undefined) throw new Error("The range is too long");
  const filters = { country: "", device: "", source: "" };
  const span = { from: timeOf(range.from), until: timeOf(range.until), ...filters };
  const since = { ...span, from: timeOf(range.before.from), middle: timeOf(range.from) };
  const edges = secondsOf(range.edges);
  const recent = lastDays(given, 14);
  const one = { ...span, links: [link] };
  const fromRecent = { ...span, from: timeOf(recent[0] ?? range.from), links: all };
  const asked: readonly [string, Question<object, unknown>, Params][] = [
    ["all links: totals and the range before", totals, { ...since, links: all }],
    ["all links: series", series, { ...span, links: all, edges, ofEach: 0 }],
    [
      "all links: recent days of each",
      series,
      { ...fromRecent, edges: secondsOf(recent), ofEach: 1 },
    ],
    ["all links: fresh", fresh, { ...fromRecent, ids: all, seen: all.map(() => 0) }],
    ["one link: totals and the range before", totals, { ...since, links: [link] }],
    ["one link: series", series, { ...one, edges, ofEach: 0 }],
    [
      "one link: series, filtered",
      series,
      { ...one, country: "IL", device: "mobile", edges, ofEach: 0 },
    ],
    ["one link: places", places, one],
    ["one link: sources, devices, browsers", breakdown, one],
    ["one link: what was left out", excluded, one],
    ["one link: viewing", viewing, one],
    ["one link: latest requests", listedOpens, { ...one, alsoExcluded: 1, count: 50 }],
  ];
  return asked;
}

/** @returns how many questions were asked */
async function measure(client: ClickHouseClient): Promise<number> {
  const questions = new Questions(client);
  // The same links in every run; half equally likely, half as they are opened.
  const indices = Array.from({ length: rounds }, (_, round) => {
    const share = ((round * 0.618_033_988_75) % 1) ** (round % 2 === 0 ? 1 : 3);
    return Math.floor(links * share);
  });
  const owners = await ownersOf(client, indices);
  const [popular] = await ownersOf(client, [0]);
  if (popular === undefined) throw new Error("No owner");
  const times = new Map<string, number[]>();
  let count = 0;
  const ask = async (owner: Owner, days: number, into: Map<string, number[]>): Promise<void> => {
    const askOwner: AskOwner = (question, params) =>
      questions.now(question, { ...params, accounts: [owner.accountId] });
    const timed = async (name: string, asked: () => Promise<unknown>): Promise<void> => {
      const begin = performance.now();
      await asked();
      count += 1;
      into.set(name, [...(into.get(name) ?? []), performance.now() - begin]);
    };
    for (const [name, question, params] of questionsOf(owner, days)) {
      await timed(name, () => askOwner(question, params));
    }
    const ever = { from: startOfDay(dayPlus(today, -spanDays), "UTC"), until: endOfAll };
    await timed("all links: the first open ever", () => firstOpenIn(askOwner, owner.links, ever));
  };
  const ranges = [30, 90, 365] as const;
  await ask(popular, 30, new Map());
  for (const [round, owner] of owners.entries()) await ask(owner, ranges[round % 3] ?? 30, times);
  print(times, `${rounds} owners of ${accounts}; 30, 90 and 365 days`);
  const most = new Map<string, number[]>();
  for (const days of [...ranges, ...ranges, ...ranges]) await ask(popular, days, most);
  print(most, "the owner of the most popular links; 30, 90 and 365 days");
  return count;
}

function print(times: ReadonlyMap<string, number[]>, who: string): void {
  console.log(`  ${who}`);
  for (const [name, list] of times) console.log(`    ${latencies(list)}  ${name}`);
}
