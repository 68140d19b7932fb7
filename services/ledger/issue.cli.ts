import { parseArgs } from "node:util";

import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { systemClock } from "@pro-talent/platform/runtime/clock";
import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { readOperatorEnv } from "./env.ts";
import { resumeIssue } from "./newsletter-issue/delivery-store.ts";
import { readPreviewEnv } from "./newsletter-issue/env.ts";
import { issueIdOf } from "./newsletter-issue/issue-events.ts";
import { IssueRefused } from "./newsletter-issue/issue-refused.ts";
import { describeIssue, describeStatus } from "./newsletter-issue/issue-report.ts";
import { countRecipients, issueStatus } from "./newsletter-issue/issue-status.ts";
import { findSurroundings, previewIssue } from "./newsletter-issue/preview-issue.ts";
import { readIssue } from "./newsletter-issue/read-issue.ts";
import { releaseIssue } from "./newsletter-issue/release-issue.ts";
import { findOwnerUrl } from "./owner-url.ts";

/**
 * For administrators; ends with 1 when nothing was done.
 *
 *     npm run newsletter -- send <folder> [--yes]             to everybody who wants it, once
 *     npm run newsletter -- preview <folder> --to <address>   to one address, in both languages
 *     npm run newsletter -- status [slug]                     how far it has come
 */
const usage = "Use: send <folder> [--yes], preview <folder> --to <address>, or status [slug]";
const write = (line: string): boolean => process.stdout.write(`${line}\n`);

async function withDatabase<Outcome>(work: (sql: Sql) => Promise<Outcome>): Promise<Outcome> {
  const url = await findOwnerUrl(readOperatorEnv());
  const sql = openPool(url, { max: 1, applicationName: "newsletter", statementSecondsMax: 300 });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

async function send(sql: Sql, folder: string, yes: boolean): Promise<boolean> {
  const issue = await readIssue(folder);
  write(describeIssue(issue, await countRecipients(sql, issue)));
  if (!yes) {
    write("Nothing was sent. Repeat it with --yes to send it; that cannot be taken back.");
    return false;
  }
  const outcome = await releaseIssue({ sql }, issue, instantFromMs(systemClock()));
  if (outcome.kind === "refusal") {
    write(
      outcome.code === "slug_taken"
        ? `Another issue was sent as ${issue.slug}. Choose another slug for this one.`
        : `It was not released: ${outcome.code}`,
    );
    return false;
  }
  if (outcome.how === "recorded") {
    write("It is released; its letters go out now.");
  } else if (await resumeIssue(sql, issueIdOf(issue.slug))) {
    write("It had been released, and its delivery was given up; it goes on now.");
  } else {
    write("It had been released before; nobody receives it twice.");
  }
  return true;
}

async function preview(folder: string, address: string | undefined): Promise<boolean> {
  if (address === undefined || !looksLikeEmail(address)) {
    write("Say where to: --to <address>");
    return false;
  }
  const issue = await readIssue(folder);
  await previewIssue(issue, address, await findSurroundings(readPreviewEnv()));
  write(`The issue ${issue.slug} was sent there in both languages.`);
  return true;
}

async function status(sql: Sql, slug: string | undefined): Promise<boolean> {
  const found = await issueStatus(sql, slug);
  for (const issue of found) write(describeStatus(issue));
  if (found.length === 0) write(slug === undefined ? "No issue was sent yet." : "There is none.");
  return found.length > 0 || slug === undefined;
}

async function run(): Promise<boolean> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { yes: { type: "boolean", default: false }, to: { type: "string" } },
  });
  const [command, subject] = positionals;
  if (command === "status") return await withDatabase((sql) => status(sql, subject));
  if (command === "send" && subject !== undefined) {
    return await withDatabase((sql) => send(sql, subject, values.yes));
  }
  if (command === "preview" && subject !== undefined) return await preview(subject, values.to);
  write(usage);
  return false;
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  if (!(error instanceof IssueRefused)) throw error;
  write(error.message);
  process.exitCode = 1;
}
