import { addCalls, type CallHandlers, FileAnswer } from "@pro-talent/platform/http/add-calls";
import type { OutsideOptions } from "@pro-talent/platform/http/outside-connection";
import { requestLanguage } from "@pro-talent/platform/http/plain-forms";
import { limitAccounts } from "@pro-talent/platform/http/rate-limit";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Application, Reminder, Stage } from "@pro-talent/schemas/applications/application";
import { applicationCalls } from "@pro-talent/schemas/applications/calls";
import { applicationProblems as problems } from "@pro-talent/schemas/applications/problems";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance } from "fastify";

import { unavailable } from "../../kernel/http.ts";
import { decodeText } from "./decode-text.ts";
import { readCsv } from "./exchange/read-csv.ts";
import { isCalendar, readIcs, unfold } from "./exchange/read-ics.ts";
import { stageFinder } from "./exchange/stages.ts";
import { writeCsv } from "./exchange/write-csv.ts";
import { writeIcs } from "./exchange/write-ics.ts";
import { fetchPage } from "./posting/fetch-page.ts";
import { readPosting } from "./posting/read-posting.ts";

/** Of one account: each makes a request to a server elsewhere. */
const postingsPerMinute = 10;
/** Of one account: each reads or writes a whole file. */
const filesPerMinute = 20;

const {
  "POST /api/applications/posting": posting,
  "POST /api/applications/import": importing,
  "GET /api/applications/export/:format": exporting,
} = applicationCalls;
const postingCalls = { "POST /api/applications/posting": posting };
const importCalls = { "POST /api/applications/import": importing };
const exportCalls = { "GET /api/applications/export/:format": exporting };

/** What the calls need of the account's applications. */
export type Exchange = {
  /** Whether the plan of an account includes the tracker. */
  readonly isIncluded: (accountId: string) => Promise<boolean>;
  readonly stagesOf: (accountId: string) => Promise<readonly Stage[]>;
  /** Everything of an account that files state; archived applications too. */
  readonly heldBy: (accountId: string) => Promise<{
    readonly applications: readonly Application[];
    readonly stages: readonly Stage[];
    readonly reminders: readonly Reminder[];
  }>;
  readonly clock: Clock;
  /** Where the site is, for the addresses and ids of calendar entries. */
  readonly publicOrigin: string;
  /** The public internet when absent. */
  readonly outside?: OutsideOptions;
};

/** The calls that bring applications in from elsewhere, and take them out. */
export async function addExchangeRoutes(app: FastifyInstance, exchange: Exchange): Promise<void> {
  await app.register(async (scope) => {
    await limitAccounts(scope, postingsPerMinute);
    addCalls(scope, postingCalls, postingHandlers(exchange));
  });
  await app.register(async (scope) => {
    await limitAccounts(scope, filesPerMinute);
    const handlers = { ...importHandlers(exchange), ...exportHandlers(exchange) };
    addCalls(scope, { ...importCalls, ...exportCalls }, handlers);
  });
}

/** Reads postings elsewhere. Neither the address nor the page is kept or logged. */
function postingHandlers({ isIncluded, outside }: Exchange): CallHandlers<typeof postingCalls> {
  return {
    "POST /api/applications/posting": async ({ body }, { account, refuse }) => {
      if (!(await isIncluded(account.accountId).catch(unavailable)))
        refuse(problems.tracker_not_included.code);
      const page = await fetchPage(body.url, outside);
      const read = page === undefined ? undefined : readPosting(page);
      return read ?? refuse(problems.posting_unreadable.code);
    },
  };
}

/** Reads files for review. Nothing of them is kept or logged. */
function importHandlers({ isIncluded, stagesOf }: Exchange): CallHandlers<typeof importCalls> {
  return {
    "POST /api/applications/import": async ({ body }, { account: { accountId }, refuse }) => {
      if (!(await isIncluded(accountId).catch(unavailable)))
        refuse(problems.tracker_not_included.code);
      const stages = await stagesOf(accountId).catch(unavailable);
      const bytes = Buffer.from(body.content, "base64");
      const text = decodeText(bytes).replace(/^\uFEFF/u, "");
      if (isCalendar(text)) return { source: "ics", ...readIcs(decodeText(unfold(bytes)), stages) };
      // No text has a zero byte, but archives and workbooks do.
      const table = text.includes("\0") ? undefined : readCsv(text, stageFinder(stages));
      if (table === undefined) return refuse(problems.import_unreadable.code);
      return { source: "csv", ...table };
    },
  };
}

/** Writes files in the language of the request, whatever the plan includes. */
function exportHandlers({
  clock,
  publicOrigin: origin,
  heldBy,
}: Exchange): CallHandlers<typeof exportCalls> {
  return {
    "GET /api/applications/export/:format": async ({ params }, { account, request }) => {
      const { applications, stages, reminders } = await heldBy(account.accountId).catch(
        unavailable,
      );
      const language = requestLanguage(request);
      const at = instantFromMs(clock());
      const file =
        params.format === "csv"
          ? writeCsv(applications, stages, language)
          : writeIcs(applications, reminders, { language, at, origin });
      const name = `applications-${at.slice(0, 10)}.${params.format}`;
      return new FileAnswer(Buffer.from(file), "application/octet-stream", name);
    },
  };
}
