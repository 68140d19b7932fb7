import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { QueryClient } from "@tanstack/react-query";

import type { CallName, CallResult } from "../../../api-client/request.ts";
import { type AccountFault, type Refused, refusalIn } from "../../submission.machine.ts";
import { requestsQuery } from "./requests-query.ts";

const dayMs = 24 * 60 * 60_000;

/**
 * What became of a call: the list of requests is loaded anew, also after a refusal, because it may have
 * changed elsewhere.
 * @param failed the text for refusals that have none of their own
 */
export async function outcomeOf<Name extends CallName>(
  cache: QueryClient,
  calling: Promise<CallResult<Name>>,
  failed: AccountFault,
): Promise<Refused | undefined> {
  const result = await calling;
  await cache.invalidateQueries({ queryKey: requestsQuery.queryKey });
  const code = result.ok ? undefined : result.code;
  if (code === "email_differs")
    return { fault: "account-privacy:errors.emailDiffers", field: "email" };
  if (code === "unchanged") return { fault: "account-privacy:errors.unchanged" };
  const refused = refusalIn(result);
  return refused?.fault === "failed" ? { fault: failed } : refused;
}

/** The day so many days from now, for readers. */
export const dateAfter = (days: number, language: Locale): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(Date.now() + days * dayMs);
