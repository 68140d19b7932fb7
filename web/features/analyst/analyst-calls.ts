import { queryOptions } from "@tanstack/react-query";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import type { CallAnswer } from "../../api-client/request.ts";

/** The views with their columns, functions and limits. */
export type Described = CallAnswer<"GET /api/console/analyst/views">;
export type DescribedView = Described["views"][number];

export const viewsQuery = queryOptions({
  queryKey: ["console", "analyst", "views"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/console/analyst/views", {})),
  staleTime: "static",
});

/** Ends a query in the engine. @returns whether it was running */
export async function cancelQuery(queryId: string): Promise<boolean> {
  const params = { queryId };
  return (await accountApi().call("DELETE /api/console/analyst/queries/:queryId", { params })).ok;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Where a query is wrong: from 1, in the text that was sent. */
export type QueryPlace = { readonly line: number; readonly column: number };
/** Why a query was not answered. `message`: of the engine or the gate, in English. */
export type QueryFault = {
  readonly code: string;
  readonly message: string;
  readonly place: QueryPlace | undefined;
};

/** What a refusal says: `errors` has the message, and its `pointer` the place as `/text/<line>:<column>`. */
export function faultOf(problem: unknown): QueryFault {
  const { code, errors, error } = isRecord(problem) ? problem : {};
  const list: readonly unknown[] = Array.isArray(errors) ? errors : [];
  const [first] = list.filter(isRecord);
  const found = /\/text\/(\d+):(\d+)$/u.exec(String(first?.["pointer"] ?? ""));
  return {
    code: typeof code === "string" ? code : "other",
    message: String(first?.["message"] ?? error ?? ""),
    place: found === null ? undefined : { line: Number(found[1]), column: Number(found[2]) },
  };
}
