import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

import { noVisitor } from "@pro-talent/schemas/links/opens";
import { z } from "zod";

import type { Finding } from "./compare-stored.ts";
import { linkCode, linkIdOf } from "./drill-links.ts";
import { type DrillOptions, type DrillStack, startDrillStack } from "./drill-stack.ts";
import { seededRandom } from "./record-load.ts";
import { openHeaders } from "./visits.ts";

const visitorsPerLink = 50;
const senders = 8;
/** At once by one visitor, as of a double click. */
const copies = 2;
/** Every tenth one is preceded by the preview of a chat. */
const previewEvery = 10;
const preview = { accept: "*/*", "user-agent": "WhatsApp/2.23.20.0" };

type Kind = "person" | "preview";
/** Requests by the referring domain that each has of its own, and whether they were answered. */
type Sent = Map<string, { kind: Kind; visitor: number; acked: boolean }>;

const Stored = z.array(
  z.object({
    ref: z.string(),
    link: z.string(),
    visitor: z.string(),
    exclusion: z.string(),
  }),
);

/**
 * People open links while collectors and ClickHouse are killed (`kill -9`) and connections to Postgres
 * are cut. Each tries until an open is answered, always at the same collector, some at once; what is
 * stored is then compared with what they did.
 */
export async function opensDrill(options: DrillOptions & { kills: number }): Promise<Finding[]> {
  const { directory, seed, kills, report } = options;
  const stack = await startDrillStack({ directory, collectors: 2 });
  try {
    const random = seededRandom(seed);
    const sent: Sent = new Map();
    const load = startOpens(stack, sent);
    for (let n = 1; n <= kills; n++) {
      await delay(1_000 + random() * 1_500);
      if (n % 5 === 0) await stack.cutDatabaseConnections();
      const victim = stack.collectors[Math.floor(random() * 3)];
      if (victim === undefined) stack.killClickhouse();
      else victim.kill9();
      if (n % 10 === 0) report(`${n} of ${kills} kills, ${sent.size} requests`);
    }
    const visitors = await load.stop();
    for (const collector of stack.collectors) await collector.untilReady();
    await stack.untilShipped(120_000);
    return compareOpens(await storedOpens(stack), sent, visitors);
  } finally {
    await stack.stop();
  }
}

/** @returns ends the load once each visitor who began has an answer, and states how many they are */
function startOpens(stack: DrillStack, sent: Sent) {
  let [visitors, requests] = [0, 0];
  let isRunning = true;
  const send = async (kind: Kind, visitor: number): Promise<boolean> => {
    const ref = `r${(requests += 1)}.example.org`;
    const record = { kind, visitor, acked: false };
    sent.set(ref, record);
    const { url } = stack.collectors[visitor % stack.collectors.length] ?? { url: "" };
    const browser = { ...openHeaders(visitor), ...(kind === "preview" && preview) };
    const headers = { ...browser, referer: `https://${ref}/` };
    const code = linkCode(Math.floor(visitor / visitorsPerLink));
    record.acked = (await statusOf(`${url}/l/${code}`, headers)) === 302;
    return record.acked;
  };
  const sendOn = async (): Promise<void> => {
    while (isRunning) {
      const visitor = visitors++;
      if (visitor % previewEvery === 0) await send("preview", visitor);
      for (let isAnswered = false; !isAnswered;) {
        const both = await Promise.all(
          Array.from({ length: copies }, () => send("person", visitor)),
        );
        isAnswered = both.includes(true);
        if (!isAnswered) await delay(100);
      }
    }
  };
  const running = Array.from({ length: senders }, sendOn);
  return {
    stop: async (): Promise<number> => {
      isRunning = false;
      await Promise.all(running);
      return visitors;
    },
  };
}

/** Resolves with 0 when there is no answer. */
function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const outgoing = request(url, { headers, timeout: 10_000 }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
      answer.on("error", () => resolve(0));
    });
    outgoing.on("timeout", () => outgoing.destroy());
    outgoing.on("error", () => resolve(0));
    outgoing.end();
  });
}

const storedOpens = async (stack: DrillStack): Promise<z.infer<typeof Stored>> =>
  Stored.parse(
    await stack.rows(`SELECT referrer_domain AS ref, toString(link_id) AS link,
      toString(visitor_id) AS visitor, exclusion FROM link_opens`),
  );

function compareOpens(rows: z.infer<typeof Stored>, sent: Sent, visitors: number): Finding[] {
  const refs = new Set(rows.map(({ ref }) => ref));
  const acked = [...sent].filter(([, { acked }]) => acked);
  const lost = acked.filter(([ref]) => !refs.has(ref)).length;
  const invented = rows.filter(({ ref, link }) => {
    const visitor = sent.get(ref)?.visitor ?? Number.NaN;
    return linkIdOf(Math.floor(visitor / visitorsPerLink)) !== link;
  }).length;
  const people = rows.filter(({ ref }) => sent.get(ref)?.kind === "person");
  const counted = people.filter(({ exclusion }) => exclusion === "");
  const countedVisitors = new Set(counted.map(({ ref }) => sent.get(ref)?.visitor));
  const recognised = new Set(people.map(({ visitor }) => visitor));
  const others = rows.filter(({ ref }) => sent.get(ref)?.kind === "preview");
  const mistaken = others.filter(
    ({ exclusion, visitor }) => exclusion !== "preview" || visitor !== noVisitor,
  ).length;
  return [
    {
      statement: "every open that was answered is stored",
      holds: acked.length > 0 && lost === 0,
      figures: `${acked.length} answered, ${lost} lost`,
    },
    {
      statement: "every open is stored once, and for its link",
      holds: rows.length === refs.size && invented === 0,
      figures: `${rows.length} rows, ${refs.size} different, ${invented} of no request`,
    },
    {
      statement: "each visitor has one counted open",
      holds: counted.length === visitors && countedVisitors.size === visitors,
      figures: `${visitors} visitors, ${counted.length} counted opens of ${countedVisitors.size}`,
    },
    {
      statement: "unique visitors are those who came",
      holds: recognised.size === visitors,
      figures: `${visitors} came, ${recognised.size} recognised`,
    },
    {
      statement: "previews stay previews",
      holds: others.length > 0 && mistaken === 0,
      figures: `${others.length} stored, ${mistaken} taken for something else`,
    },
  ];
}
