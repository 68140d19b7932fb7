import { setTimeout as delay } from "node:timers/promises";

import { verifyLedger } from "@pro-talent/ledger/event-store/verify";
import { countLetters } from "@pro-talent/ledger/newsletter-issue/delivery-store";
import { Issue } from "@pro-talent/ledger/newsletter-issue/issue";
import { issueIdOf } from "@pro-talent/ledger/newsletter-issue/issue-events";
import { issueStatus } from "@pro-talent/ledger/newsletter-issue/issue-status";
import { releaseIssue } from "@pro-talent/ledger/newsletter-issue/release-issue";
import {
  type ScriptedSmtp,
  startScriptedSmtp,
} from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { until } from "@pro-talent/platform/testing/until";
import type { NewsletterTopic } from "@pro-talent/schemas/newsletter/categories";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import type { Finding } from "./compare-stored.ts";
import { subscribeReaders } from "./issue-drill-readers.ts";
import { type IssueDrillStack, startIssueDrillStack } from "./issue-drill-stack.ts";
import { seededRandom } from "./record-load.ts";

type Options = { directory: string; readers: number; kills: number; seed: number; say: Say };
type Say = (line: string) => void;

/** Everything must be delivered by then, restarts of the host included. */
const deadlineMs = 180_000;

/**
 * Sends an issue to thousands of readers while the host of jobs is killed (`kill -9`) again and
 * again, then another one during which all that the queue holds is lost. Each reader must receive
 * each letter, and one more at most for each kill.
 */
export async function issueDrill(options: Options): Promise<Finding[]> {
  const { directory, readers, kills, seed, say } = options;
  const smtp = await startScriptedSmtp();
  const stack = await startIssueDrillStack({ directory, smtpUrl: smtp.url });
  try {
    await subscribeReaders(stack.store, stack.subjects, readers);
    say(`${readers} readers have confirmed`);
    await stack.jobs.start();
    const first = await sendWhile(stack, smtp, { slug: "kills", topics: ["updates"] }, () =>
      killAgainAndAgain(stack, smtp, { kills, random: seededRandom(seed) }),
    );
    say(`${kills} kills, ${first.letters} letters in ${first.seconds} s`);
    smtp.forget();
    const second = await sendWhile(stack, smtp, { slug: "queue", topics: ["launch"] }, () =>
      loseQueue(stack, smtp),
    );
    say(`queue lost and one kill, ${second.letters} letters in ${second.seconds} s`);
    return [
      ...findingsOf("an issue", first, { readers, kills }),
      ...findingsOf("with the queue lost", second, { readers: Math.ceil(readers / 5), kills: 1 }),
      await chainFinding(stack.owner),
    ];
  } finally {
    await stack.stop();
    await smtp.stop();
  }
}

type Sent = {
  letters: number;
  recipients: number;
  ids: number;
  seconds: number;
  counts: Awaited<ReturnType<typeof countLetters>>;
};

/** Releases an issue, hurts the host meanwhile, and waits until the issue is concluded. */
async function sendWhile(
  { store, owner }: IssueDrillStack,
  smtp: ScriptedSmtp,
  about: { slug: string; topics: NewsletterTopic[] },
  hurt: () => Promise<void>,
): Promise<Sent> {
  const letter = { subject: "A letter", preheader: "Of the drill", markdown: "Hello." };
  const issue = Issue.parse({
    ...about,
    frequencies: ["weekly"],
    letters: { en: letter, he: { ...letter, subject: "מכתב" } },
  });
  const from = performance.now();
  await releaseIssue(store, issue, instantFromMs(Date.now()));
  await hurt();
  await until(
    `the issue ${about.slug} is concluded`,
    async () => (await issueStatus(owner, about.slug))[0]?.delivered,
    deadlineMs,
  );
  return {
    letters: smtp.accepted().length,
    recipients: smtp.byRecipient().size,
    ids: smtp.byMessageId().size,
    seconds: Math.round((performance.now() - from) / 1000),
    counts: await countLetters(owner, issueIdOf(about.slug)),
  };
}

async function killAgainAndAgain(
  stack: IssueDrillStack,
  smtp: ScriptedSmtp,
  { kills, random }: { kills: number; random: () => number },
): Promise<void> {
  for (let n = 0; n < kills; n++) {
    await untilSending(smtp);
    await delay(random() * 700);
    stack.jobs.kill9();
  }
}

/** Midway all that the queue holds is lost, and with it the host that was at work. */
async function loseQueue(stack: IssueDrillStack, smtp: ScriptedSmtp): Promise<void> {
  await untilSending(smtp);
  const tables = await stack.owner<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = 'bullmq' and tablename <> 'migration'`;
  await stack.owner.unsafe(`truncate ${tables.map(({ name }) => name).join(", ")}`);
  stack.jobs.kill9();
}

/** Until letters go out, more than went out before. */
async function untilSending(smtp: ScriptedSmtp): Promise<void> {
  const before = smtp.accepted().length;
  await until("letters go out", () => smtp.accepted().length >= before + 10, 60_000);
}

function findingsOf(
  what: string,
  sent: Sent,
  { readers, kills }: { readers: number; kills: number },
): Finding[] {
  const { letters, recipients, ids, counts } = sent;
  const repeated = letters - recipients;
  return [
    {
      statement: `${what}: every reader has the letter`,
      holds: recipients === readers,
      figures: `${readers} readers, ${recipients} reached`,
    },
    {
      statement: `${what}: no more letters are repeated than hosts were killed, with the same id`,
      holds: repeated <= kills && ids === recipients,
      figures: `${letters} letters, ${repeated} repeated, ${ids} ids, ${kills} kills`,
    },
    {
      statement: `${what}: the ledger says what the mail server says`,
      holds: counts.sent === readers && counts.waiting + counts.skipped + counts.refused === 0,
      figures: `${counts.sent} sent, ${counts.waiting} waiting, ${counts.refused} refused`,
    },
  ];
}

async function chainFinding(owner: Sql): Promise<Finding> {
  const checked = await verifyLedger(owner).next();
  return {
    statement: "the chain holds",
    holds: checked.done === true,
    figures: checked.done === true ? `${checked.value.events} events` : "a finding",
  };
}
