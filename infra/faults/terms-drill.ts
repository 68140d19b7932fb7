import { countNotices, noticesBehind } from "@pro-talent/ledger/domains/legal-changes/changes";
import {
  announceChange,
  noticesWaitingMost,
} from "@pro-talent/ledger/domains/legal-changes/notify";
import { subscribersFrom } from "@pro-talent/ledger/domains/legal-changes/recipients";
import { newsletterEvents } from "@pro-talent/ledger/domains/newsletter/subscribers";
import { catchUp, followerOf } from "@pro-talent/ledger/kernel/follow";
import { testCause } from "@pro-talent/ledger/testing/create-test-ledger";
import { startScriptedSmtp } from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { repeat } from "@pro-talent/platform/runtime/repeat";
import { until } from "@pro-talent/platform/testing/until";
import { dayIn, dayPlus } from "@pro-talent/schemas/primitives/calendar";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { comingVersions } from "@pro-talent/schemas/site/legal-history";

import { treeMemory } from "../bench/machine.ts";
import type { Finding } from "./compare-stored.ts";
import { startDrillAccounts } from "./drill-accounts.ts";
import type { DrillOptions } from "./drill-stack.ts";
import {
  type IssueDrillStack,
  makeSubscribers,
  startIssueDrillStack,
} from "./issue-drill-stack.ts";
import { chainFinding } from "./issue-drill.ts";

/** For engines and processes to start, and for each recipient, on a machine with other work. */
const patienceMs = 180_000;
const perRecipientMs = 500;
/** What the worker may hold of the memory in any case: a heap of a process that has just begun grows. */
const megabytesUsual = 512;
/** What it may hold in the later half of a run, beside what it held in the first. */
const growthMost = 1.3;

type Options = Pick<DrillOptions, "directory" | "report"> & { readonly recipients: number };

/**
 * Announces a change of the terms to confirmed subscribers. First the accounts service does not answer,
 * which each notice asks: nothing can be mailed, and notices must wait without piling up. Then each
 * recipient must get one mail.
 */
export async function termsDrill({ directory, recipients, report }: Options): Promise<Finding[]> {
  const smtp = await startScriptedSmtp();
  const accounts = await startDrillAccounts();
  const stack = await startIssueDrillStack(directory, smtp.url, "postgres", {
    ACCOUNTS_URL: accounts.url,
    LEGAL_NOTICES_PER_SECOND: "5000",
    TIMERS_SWEEP_MS: "150",
  });
  const deadlineMs = patienceMs + recipients * perRecipientMs;
  const watched = watch(stack);
  try {
    const changeId = await announced(stack, recipients, report);
    await until(
      "notices wait",
      () => watched.peak().waiting >= noticesWaitingMost - 99,
      deadlineMs,
    );
    const asked = accounts.asked();
    await until("it was asked again and again", () => accounts.asked() >= asked + 12, patienceMs);
    const early = smtp.accepted().length;
    accounts.answer();
    const from = performance.now();
    await until(
      "every notice is delivered",
      async () => (await countNotices(stack.owner, changeId))[0]?.delivered === recipients,
      deadlineMs,
    ).catch((error: unknown) => report(String(error)));
    const seconds = Math.round((performance.now() - from) / 1000);
    report(`${recipients} notices in ${seconds} s, ${Math.round(recipients / seconds)} a second`);
    const [counts] = await countNotices(stack.owner, changeId);
    const [mails, reached] = [smtp.accepted().length, smtp.byRecipient().size];
    const delivered = counts?.waiting === 0 ? counts.delivered : 0;
    const seen = { recipients, reached, mails, delivered, early, ...watched.peak() };
    return [...findingsOf(seen), await chainFinding(stack.owner)];
  } finally {
    await watched.stop();
    await stack.stop();
    accounts.stop();
    await smtp.stop();
  }
}

type Seen = Readonly<
  Record<"recipients" | "reached" | "mails" | "delivered" | "early" | "waiting", number> & {
    megabytes: readonly number[];
  }
>;

/** `early`: mails while the accounts service was away. `delivered`: as recorded, once none is open. */
function findingsOf(seen: Seen): Finding[] {
  const { recipients, reached, mails, delivered, early, waiting, megabytes } = seen;
  const half = Math.ceil(megabytes.length / 2);
  const [first, later] = [
    Math.max(...megabytes.slice(0, half)),
    Math.max(...megabytes.slice(half)),
  ];
  return [
    {
      statement: "every recipient has the notice",
      holds: reached === recipients && delivered === recipients,
      figures: `${recipients} recipients, ${reached} reached, ${delivered} recorded`,
    },
    {
      statement: "no recipient has it twice",
      holds: mails === reached,
      figures: `${mails} mails, ${early} of them while accounts were away`,
    },
    {
      statement: "no more notices are required while as many wait as may",
      holds: early === 0 && waiting <= noticesWaitingMost,
      figures: `at most ${waiting} waited, ${noticesWaitingMost} may`,
    },
    {
      statement: "the worker's memory does not grow with the recipients",
      holds: later > 0 && later <= Math.max(megabytesUsual, first * growthMost),
      figures: `at most ${Math.round(first)} MB in the first half of the time, ${Math.round(later)} MB in the other`,
    },
  ];
}

/** Makes the subscribers, announces the change, and starts the worker. @returns the id of the change */
async function announced(
  stack: IssueDrillStack,
  recipients: number,
  report: Options["report"],
): Promise<string> {
  const from = performance.now();
  await makeSubscribers(stack, recipients);
  const { owner, ledger, worker } = stack;
  // The service does this, which the drill does not need otherwise.
  await catchUp(followerOf(ledger.sql, subscribersFrom(newsletterEvents)));
  report(`${recipients} subscribers in ${Math.round((performance.now() - from) / 1000)} s`);
  const now = instantFromMs(Date.now());
  const terms = dayPlus(dayIn(now, "Asia/Jerusalem"), 31);
  const summary = { en: "Refunds take 10 days.", he: "החזר נמשך 10 ימים." };
  const change = { document: "terms", summary } as const;
  const why = { now, cause: testCause("operator") };
  const coming = { ...comingVersions, terms };
  if ((await announceChange(ledger, change, why, coming)) !== "announced")
    throw new Error("The change was not announced");
  // It looks at once for what is missing, as it does every five minutes.
  await worker.start();
  const [row] = await owner<{ id: string }[]>`select change_id as id from ledger.legal_change`;
  return row?.id ?? "";
}

/** How many notices waited at most, and what the worker held of the memory each time it was looked at. */
function watch({ owner, worker }: IssueDrillStack) {
  const peak: { waiting: number; megabytes: number[] } = { waiting: 0, megabytes: [] };
  const looking = repeat({
    everyMs: 500,
    pass: async () => {
      peak.waiting = Math.max(peak.waiting, await noticesBehind(owner));
      const pid = worker.pid();
      if (pid !== undefined) peak.megabytes.push((await treeMemory(pid)).megabytes);
      return "wait";
    },
    // Before the worker is there.
    onFailing: () => undefined,
  });
  return { peak: () => peak, stop: () => looking.stop() };
}
