import type { QueryClient } from "@tanstack/react-query";

import type { CallAnswer, CallName, CallResult } from "./request.ts";

/** A call without an answer, as an error of the query cache. `status` 2xx: the answer was not JSON. */
export class CallFailure extends Error {
  readonly status: number;
  /** Why it was refused, if the platform says so. */
  readonly code: string | undefined;

  constructor(status: number, message?: string, code?: string) {
    super(message ?? `status ${status}`);
    this.status = status;
    this.code = code;
  }
}

/**
 * The answer of a call, for a query.
 * @throws CallFailure when the call was refused or its answer is not JSON
 * @throws TypeError when there is no answer
 */
export async function queryAnswer<Name extends CallName>(
  calling: Promise<CallResult<Name>>,
): Promise<CallAnswer<Name>> {
  const result = await calling;
  if (!result.ok) throw new CallFailure(result.status, result.error, result.code);
  if (result.answer === undefined) throw new CallFailure(result.status);
  return result.answer;
}

/** The handle of a route that can fetch what its page shows before the page is asked for. */
export type PrefetchedPage = { prefetch: (cache: QueryClient) => readonly Promise<unknown>[] };

const retriesMax = 2;

/** Whether a query asks again: a server or connection may recover, a refusal stays. */
export function mayRecover(failures: number, error: Error): boolean {
  const refused = error instanceof CallFailure && error.status >= 400 && error.status < 500;
  return !refused && failures < retriesMax;
}
