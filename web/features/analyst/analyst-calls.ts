import type { QuestionAnswer } from "@pro-talent/schemas/analysts/calls";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import type { CallAnswer } from "../../api-client/request.ts";
import { useLanguage } from "../../i18n/use-language.ts";

type Answered = CallAnswer<"GET /api/console/analyst/views">;

const describedIn = (language: Locale, { views, ...rest }: Answered) => ({
  ...rest,
  views: views.map(({ summary, columns, ...view }) => ({
    ...view,
    summary: summary[language],
    columns: columns.map((column) => ({ ...column, meaning: column.meaning[language] })),
  })),
});

/** The views with their columns, functions and limits, described in one language. */
export type Described = ReturnType<typeof describedIn>;
export type DescribedView = Described["views"][number];

const viewsQuery = queryOptions({
  queryKey: ["console", "analyst", "views"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/console/analyst/views", {})),
  staleTime: "static",
});

/** What can be asked, in the language of the page. */
export function useDescribed() {
  const language = useLanguage();
  const select = useCallback((answer: Answered) => describedIn(language, answer), [language]);
  return useQuery({ ...viewsQuery, select });
}

/** Whether a question found nothing that may be stated. */
export function isNothing(answer: QuestionAnswer): boolean {
  if (answer.kind === "groups") return answer.total === null && answer.groups.length === 0;
  return answer.kind === "cohorts" && answer.cohorts.length === 0;
}

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

const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

/** What a refusal says: `errors` has the message, and its `pointer` the place as `/text/<line>:<column>`. */
export function faultOf(problem: unknown): QueryFault {
  const { code, errors, error } = isRecord(problem) ? problem : {};
  const list: readonly unknown[] = Array.isArray(errors) ? errors : [];
  const [first] = list.filter(isRecord);
  const found = /\/text\/(\d+):(\d+)$/u.exec(textIn(first?.["pointer"]));
  return {
    code: typeof code === "string" ? code : "other",
    message: textIn(first?.["message"] ?? error),
    place: found === null ? undefined : { line: Number(found[1]), column: Number(found[2]) },
  };
}
