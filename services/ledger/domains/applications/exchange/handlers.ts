import { type CallHandlers, FileAnswer } from "@pro-talent/platform/http/add-calls";
import { requestLanguage } from "@pro-talent/platform/http/plain-forms";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Application, Reminder, Stage } from "@pro-talent/schemas/applications/application";
import { applicationCalls } from "@pro-talent/schemas/applications/calls";
import { applicationProblems as problems } from "@pro-talent/schemas/applications/problems";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { unavailable } from "../../../kernel/http.ts";
import { decodeText } from "../decode-text.ts";
import { readCsv } from "./read-csv.ts";
import { isCalendar, readIcs, unfold } from "./read-ics.ts";
import { stageFinder } from "./stages.ts";
import { writeCsv } from "./write-csv.ts";
import { writeIcs } from "./write-ics.ts";

const {
  "POST /api/applications/import": importing,
  "GET /api/applications/export/:format": exporting,
} = applicationCalls;
export const importCalls = { "POST /api/applications/import": importing };
export const exportCalls = { "GET /api/applications/export/:format": exporting };

export type Importing = {
  /** Whether the plan of an account includes the tracker. */
  readonly isIncluded: (accountId: string) => Promise<boolean>;
  readonly stagesOf: (accountId: string) => Promise<readonly Stage[]>;
};

/** Reads files for review. Nothing of them is kept or logged. */
export function importHandlers({
  isIncluded,
  stagesOf,
}: Importing): CallHandlers<typeof importCalls> {
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

export type Exporting = {
  readonly clock: Clock;
  /** Where the site is, for the addresses and ids of calendar entries. */
  readonly publicOrigin: string;
  /** Everything of an account that files state; archived applications too. */
  readonly heldBy: (accountId: string) => Promise<{
    readonly applications: readonly Application[];
    readonly stages: readonly Stage[];
    readonly reminders: readonly Reminder[];
  }>;
};

/** Writes files in the language of the request, whatever the plan includes. */
export function exportHandlers({
  clock,
  publicOrigin: origin,
  heldBy,
}: Exporting): CallHandlers<typeof exportCalls> {
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
