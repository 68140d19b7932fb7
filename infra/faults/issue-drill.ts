import { setTimeout as delay } from "node:timers/promises";

import { countDeliveries } from "@pro-talent/ledger/domains/newsletter/issue/delivery-store";
import { Issue } from "@pro-talent/ledger/domains/newsletter/issue/issue";
import { issueStatus } from "@pro-talent/ledger/domains/newsletter/issue/issue-status";
import { issueIdOf, releaseIssue } from "@pro-talent/ledger/domains/newsletter/issue/issues";
import { testCause } from "@pro-talent/ledger/testing/create-test-ledger";
import { verifyLedger } from "@pro-talent/ledger/verifier/verify";
import {
  type ScriptedSmtp,
  startScriptedSmtp,
} from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { until } from "@pro-talent/platform/testing/until";
import type { NewsletterTopic } from "@pro-talent/schemas/newsletter/categories";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";
import {
  type IssueDrillStack,
  makeSubscribers,
  type QueueKind,
  startIssueDrillStack,
} from "./issue-drill-stack.ts";
import { seededRandom } from "./record-load.ts";

/** Everything must be delivered by then, restarts of the worker included. */
const deadlineMs = 180_000;

/**
 * Sends an issue to thousands of subscribers while the worker is killed (`kill -9`) again and
 * again, and Redis with it where jobs wait there; then another one during which all that the queue
 * holds is lost. Each subscriber must receive
 * each issue, and one issue mail more at most for each kill. Meanwhile the waitlist's process, which
 * runs in the same worker, must give each place once.
 */
export async function issueDrill(
  options: DrillOptions & { subscribers: number; kills: number; queue: QueueKind },
): Promise<Finding[]> {
  const { directory, subscribers, kills, seed, report } = options;
  const smtp = await startScriptedSmtp();
  const stack = await startIssueDrillStack(directory, smtp.url, options.queue);
  try {
    await makeSubscribers(stack, subscribers);
    report(`${subscribers} subscribers have confirmed`);
    await stack.worker.start();
    const first = await sendWhile(stack, smtp, { slug: "kills", topics: ["updates"] }, () =>
      killAgainAndAgain(stack, smtp, { kills, random: seededRandom(seed) }),
    );
    report(`${kills} kills, ${first.mails} issue mails in ${first.seconds} s`);
    smtp.forget();
    const second = await sendWhile(stack, smtp, { slug: "queue", topics: ["launch"] }, () =>
      loseQueue(stack, smtp),
    );
    report(`queue lost and one kill, ${second.mails} issue mails in ${second.seconds} s`);
    const interested = Math.ceil(subscribers / 5);
    return [
      ...findingsOf("an issue", first, { subscribers, kills }),
      ...findingsOf("with the queue lost", second, { subscribers: interested, kills: 1 }),
      await waitlistFinding(stack.owner, interested),
      await chainFinding(stack.owner),
    ];
  } finally {
    await stack.stop();
    await smtp.stop();
  }
}

type Sent = {
  mails: number;
  recipients: number;
  ids: number;
  seconds: number;
  counts: Awaited<ReturnType<typeof countDeliveries>>;
};

/** Releases an issue, disturbs the worker meanwhile, and waits until the issue is concluded. */
async function sendWhile(
  { ledger, owner }: IssueDrillStack,
  smtp: ScriptedSmtp,
  about: { slug: string; topics: NewsletterTopic[] },
  disturb: () => Promise<void>,
): Promise<Sent> {
  const from = performance.now();
  await releaseIssue(ledger, issueOf(about), {
    now: instantFromMs(Date.now()),
    cause: testCause("operator"),
  });
  await disturb();
  await until(
    `the issue ${about.slug} is concluded`,
    async () => (await issueStatus(owner, about.slug))[0]?.progress === "delivered",
    deadlineMs,
  );
  return {
    mails: smtp.accepted().length,
    recipients: smtp.byRecipient().size,
    ids: smtp.byMessageId().size,
    seconds: Math.round((performance.now() - from) / 1000),
    counts: await countDeliveries(owner, issueIdOf(about.slug)),
  };
}

function issueOf(about: { slug: string; topics: NewsletterTopic[] }): Issue {
  const edition = { subject: "News", preheader: "New", markdown: "Hello, [read on](/about)." };
  return Issue.parse({ ...about, editions: { en: edition, he: edition } });
}

async function killAgainAndAgain(
  stack: IssueDrillStack,
  smtp: ScriptedSmtp,
  { kills, random }: { kills: number; random: () => number },
): Promise<void> {
  for (let n = 0; n < kills; n++) {
    await untilSending(smtp);
    await delay(random() * 700);
    stack.worker.kill9();
    if (random() < 0.5) stack.redis?.kill9();
  }
}

/** Midway all that the queue holds is lost, and with it the worker that was sending. */
async function loseQueue(stack: IssueDrillStack, smtp: ScriptedSmtp): Promise<void> {
  await untilSending(smtp);
  if (stack.redis !== undefined) {
    await stack.redis.lose();
    stack.worker.kill9();
    return;
  }
  const tables = await stack.owner<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = 'bullmq' and tablename <> 'migration'`;
  await stack.owner.unsafe(`truncate ${tables.map(({ name }) => name).join(", ")}`);
  stack.worker.kill9();
}

/** Waits until ten more mails have been accepted. */
async function untilSending(smtp: ScriptedSmtp): Promise<void> {
  const before = smtp.accepted().length;
  await until("mails go out", () => smtp.accepted().length >= before + 10, 60_000);
}

function findingsOf(
  what: string,
  { mails, recipients, ids, counts }: Sent,
  { subscribers, kills }: { subscribers: number; kills: number },
): Finding[] {
  const repeated = mails - recipients;
  return [
    {
      statement: `${what}: every subscriber has received it`,
      holds: recipients === subscribers,
      figures: `${subscribers} subscribers, ${recipients} reached`,
    },
    {
      statement: `${what}: no more mails are repeated than workers were killed, with the same id`,
      holds: repeated <= kills && ids === recipients,
      figures: `${mails} mails, ${repeated} repeated, ${ids} ids, ${kills} kills`,
    },
    {
      statement: `${what}: the ledger's counts equal the mail server's`,
      holds: counts.sent === subscribers && counts.waiting + counts.skipped + counts.refused === 0,
      figures: `${counts.sent} sent, ${counts.waiting} waiting, ${counts.refused} refused`,
    },
  ];
}

async function waitlistFinding(owner: Sql, places: number): Promise<Finding> {
  const count = async (type: string): Promise<number> =>
    (await owner`select from ledger.event where stream like 'waitlist-%' and type = ${type}`)
      .length;
  const confirmed = async (): Promise<boolean> => (await count("PlaceConfirmed")) >= places;
  await until("all places are confirmed", confirmed, deadlineMs).catch(() => undefined);
  const [requests, confirmations] = [await count("PlaceRequested"), await count("PlaceConfirmed")];
  return {
    statement: "the waitlist's process has given each place once",
    holds: requests === places && confirmations === places,
    figures: `${places} places, ${requests} requested, ${confirmations} confirmed`,
  };
}

export async function chainFinding(owner: Sql): Promise<Finding> {
  const { findings, events } = await verifyLedger(owner);
  return {
    statement: "the hash chain is intact",
    holds: findings.length === 0,
    figures: `${events} events, ${findings.length} findings`,
  };
}
