import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { type QueryClient, queryOptions } from "@tanstack/react-query";

import { accountApi, fetchFile } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import type { CallName, CallResult } from "../../api-client/request.ts";
import { type AccountFault, type Refused, refusalIn } from "../submission.machine.ts";
import { privacyKey, requestsQuery } from "./requests-query.ts";

const dayMs = 24 * 60 * 60_000;

export const heldQuery = queryOptions({
  queryKey: [...privacyKey, "held"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/privacy/held", {})),
});

export const consentsQuery = queryOptions({
  queryKey: [...privacyKey, "consents"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/privacy/consents", {})),
});

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

/** Saves a file of the account. @returns whether there was one */
export async function saveFile(path: `/api/${string}`, name: string): Promise<boolean> {
  const file = await fetchFile(path).catch(() => undefined);
  if (file === undefined) return false;
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
  return true;
}
