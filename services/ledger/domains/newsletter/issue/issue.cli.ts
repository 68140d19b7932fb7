import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";

import {
  mailSender,
  parseEnv,
  publicOrigin,
  smtpUrl,
} from "@pro-talent/platform/config/define-env";
import { dkimEnv, readDkimKey } from "@pro-talent/platform/mail/dkim";
import {
  connectMailer,
  MailDelayed,
  MailRefused,
  MailRejected,
  MailUncertain,
} from "@pro-talent/platform/mail/mailer";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { operatorClock, printLine, readInstanceFile } from "@pro-talent/platform/runtime/operator";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import { newsletterPages } from "@pro-talent/schemas/newsletter/categories";
import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { locales } from "@pro-talent/schemas/primitives/locale";
import { z } from "zod";

import { operatorCause, withDatabaseAs } from "../../../kernel/operator.ts";
import { postalAddress } from "../mails/list.ts";
import { createComposer } from "./compose-mail.ts";
import { resumeIssue } from "./delivery-store.ts";
import { countRecipients, describeIssue, describeStatus, issueStatus } from "./issue-status.ts";
import { type Issue, IssueRefused } from "./issue.ts";
import { isStopped, issueIdOf, newsletterIssues, releaseIssue, resumeStopped } from "./issues.ts";
import { readIssue } from "./read-issue.ts";

/**
 * For administrators; ends with 1 when nothing was done.
 *
 *     npm run newsletter -- send <folder> [--yes]             to all who asked for it, once
 *     npm run newsletter -- preview <folder> --to <address>   to one address, in both languages
 *     npm run newsletter -- resume <slug>                     one that was stopped, from where it was
 *     npm run newsletter -- status [slug]                     its progress
 */
const usage =
  "Use: send <folder> [--yes], preview <folder> --to <address>, resume <slug>, or status [slug]";

function withDatabase<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const options = { applicationName: "newsletter", statementSecondsMax: 300 };
  return withDatabaseAs("ledger_operator", process.env, options, work);
}

async function send(sql: Sql, folder: string, yes: boolean): Promise<boolean> {
  const issue = await readIssue(folder);
  printLine(describeIssue(issue, await countRecipients(sql, issue)));
  if (!yes) {
    printLine("Nothing was sent. Add --yes to send it; this cannot be undone.");
    return false;
  }
  const result = await releaseIssue({ sql, readModels: [newsletterIssues] }, issue, {
    now: instantFromMs(operatorClock(process.env)()),
    cause: operatorCause(),
  });
  if (result.kind === "refusal") {
    printLine(
      result.code === "slug_taken"
        ? `Another issue was sent as ${issue.slug}. Choose another slug for this one.`
        : `It was not released: ${result.code}`,
    );
    return false;
  }
  if (result.how === "recorded") {
    printLine("It is released; its mails are being sent.");
  } else if (await isStopped({ sql, readModels: [] }, issueIdOf(issue.slug))) {
    printLine(
      `It had been released, and its delivery is stopped. Continue it: resume ${issue.slug}`,
    );
    return false;
  } else if (await resumeIssue(sql, issueIdOf(issue.slug))) {
    printLine("It had been released, and its delivery was given up; it continues now.");
  } else {
    printLine("It had been released before; no subscriber receives it twice.");
  }
  return true;
}

const RunningInstance = z.object({ origin: z.url(), mail: z.object({ smtpUrl: z.string() }) });

/** Sends an issue to one address, in both languages. Its links lead to pages without a subscriber. */
async function previewIssue(issue: Issue, address: string): Promise<void> {
  const env = parseEnv(
    {
      SMTP_URL: smtpUrl.optional(),
      PUBLIC_ORIGIN: publicOrigin.optional(),
      MAIL_FROM: mailSender.prefault("Pro Talent <hello@protalent.example>"),
      MAIL_POSTAL_ADDRESS: postalAddress,
      ...dkimEnv,
    },
    process.env,
  );
  const running =
    env.SMTP_URL === undefined || env.PUBLIC_ORIGIN === undefined
      ? await readInstanceFile(
          process.env,
          "runtime.json",
          RunningInstance,
          "set SMTP_URL and PUBLIC_ORIGIN",
        )
      : undefined;
  const origin = env.PUBLIC_ORIGIN ?? running?.origin ?? "";
  const server = env.SMTP_URL ?? running?.mail.smtpUrl ?? "";
  const dkim = readDkimKey(env, env.MAIL_FROM.address);
  const mailer = connectMailer({ smtpUrl: server, from: env.MAIL_FROM, ...(dkim && { dkim }) });
  const compose = createComposer(issue, { origin, postalAddress: env.MAIL_POSTAL_ADDRESS });
  const page = origin + newsletterPages.preferences;
  try {
    for (const language of locales) {
      const recipient = { email: address, language, manageUrl: page, unsubscribeUrl: page };
      const { unsubscribe: _, ...mail } = compose(randomUUID(), recipient);
      await mailer.send(mail);
    }
  } catch (error) {
    const known = [MailDelayed, MailRefused, MailRejected, MailUncertain];
    if (!(error instanceof Error) || !known.some((kind) => error instanceof kind)) throw error;
    throw new OperatorError(`It was not sent. ${error.name}: ${error.message}`, { cause: error });
  } finally {
    await mailer.close();
  }
}

async function preview(folder: string, address: string | undefined): Promise<boolean> {
  if (address === undefined || !looksLikeEmail(address)) {
    printLine("Name the recipient: --to <address>");
    return false;
  }
  const issue = await readIssue(folder);
  await previewIssue(issue, address);
  printLine(`The issue ${issue.slug} was sent to ${address} in both languages.`);
  return true;
}

async function resume(sql: Sql, slug: string): Promise<boolean> {
  const context = { now: instantFromMs(operatorClock(process.env)()), cause: operatorCause() };
  const ledger = { sql, readModels: [newsletterIssues] };
  const result = await resumeStopped(ledger, issueIdOf(slug), context);
  if (result.kind === "refusal") {
    printLine(
      result.code === "issue_unknown"
        ? `No issue was sent as ${slug}.`
        : `It was not resumed: ${result.code}`,
    );
    return false;
  }
  const resumed = result.how === "recorded";
  printLine(resumed ? `The issue ${slug} continues.` : `The issue ${slug} is not stopped.`);
  return resumed;
}

async function status(sql: Sql, slug: string | undefined): Promise<boolean> {
  const found = await issueStatus(sql, slug);
  for (const issue of found) printLine(describeStatus(issue));
  if (found.length === 0) {
    printLine(slug === undefined ? "No issue was sent yet." : `No issue was sent as ${slug}.`);
  }
  return found.length > 0 || slug === undefined;
}

async function run(): Promise<boolean> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { yes: { type: "boolean", default: false }, to: { type: "string" } },
  });
  const [command, subject] = positionals;
  if (command === "status") return await withDatabase((sql) => status(sql, subject));
  if (command === "resume" && subject !== undefined) {
    return await withDatabase((sql) => resume(sql, subject));
  }
  if (command === "send" && subject !== undefined) {
    return await withDatabase((sql) => send(sql, subject, values.yes));
  }
  if (command === "preview" && subject !== undefined) return await preview(subject, values.to);
  printLine(usage);
  return false;
}

await runCommand(async () => {
  try {
    return (await run()) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof IssueRefused)) throw error;
    printLine(error.message);
    return 1;
  }
});
