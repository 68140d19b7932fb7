import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { OutsideOptions } from "@pro-talent/platform/http/outside-connection";
import { applicationCalls } from "@pro-talent/schemas/applications/calls";
import { applicationProblems as problems } from "@pro-talent/schemas/applications/problems";

import { unavailable } from "../../../kernel/http.ts";
import { fetchPage } from "./fetch-page.ts";
import { readPosting } from "./read-posting.ts";

const { "POST /api/applications/posting": reading } = applicationCalls;
export const postingCalls = { "POST /api/applications/posting": reading };

export type Reading = {
  /** Whether the plan of an account includes the tracker. */
  readonly isIncluded: (accountId: string) => Promise<boolean>;
  /** The public internet when absent. */
  readonly outside?: OutsideOptions;
};

/** Reads postings elsewhere. Neither the address nor the page is kept or logged. */
export function postingHandlers({
  isIncluded,
  outside,
}: Reading): CallHandlers<typeof postingCalls> {
  return {
    "POST /api/applications/posting": async ({ body }, { account, refuse }) => {
      if (!(await isIncluded(account.accountId).catch(unavailable)))
        refuse(problems.tracker_not_included.code);
      const page = await fetchPage(body.url, outside);
      const posting = page === undefined ? undefined : readPosting(page);
      return posting ?? refuse(problems.posting_unreadable.code);
    },
  };
}
