import { positionHeader } from "@pro-talent/schemas/primitives/calls";

import { type ApiClient, createApiClient } from "./request.ts";
import { leaveForSignIn, readToken } from "./token.ts";

/** What the signed-in area does when an account may not call yet. */
export type RefusalHandlers = {
  /** Asks the account holder to confirm who they are; false if they did not. */
  stepUp: () => Promise<boolean>;
  /** Leads to the page where a second factor is set up. */
  setUpFactor: () => void;
};

let handlers: RefusalHandlers | undefined;

/** Sets what answers refusals; undefined when the area closes. */
export function answerRefusals(next: RefusalHandlers | undefined): void {
  handlers = next;
}

/** How far in the history of the database this browser's tabs have seen it; in memory alone. */
let position = "";
let tabs: BroadcastChannel | undefined;

/** Answers come in any order, in any tab: the greatest position counts. */
function remember(reached: string): void {
  if (reached > position) position = reached;
}

/** Sends what was seen along, so that no answer shows less than one before. */
export const fetchInOrder: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  if (position) headers.set(positionHeader, position);
  const answer = await fetch(input, { ...init, headers });
  const reached = answer.headers.get(positionHeader);
  if (reached) {
    tabs ??= new BroadcastChannel(positionHeader);
    tabs.onmessage = ({ data }: MessageEvent<string>) => remember(data);
    tabs.postMessage(reached);
    remember(reached);
  }
  return answer;
};

/**
 * The client of signed-in calls: one that needs a recent authentication is repeated once after the
 * account holder has confirmed it, with the token that replaced the earlier one.
 */
export function accountApi(): ApiClient {
  const { call } = createApiClient({
    origin: "",
    readToken,
    onUnauthorized: leaveForSignIn,
    fetch: fetchInOrder,
  });
  return {
    call: async (name, input) => {
      const result = await call(name, input);
      if (result.ok || result.status !== 403) return result;
      if (result.code === "factor_required") handlers?.setUpFactor();
      if (result.code !== "step_up_required") return result;
      const confirmed = (await handlers?.stepUp()) ?? false;
      return confirmed ? call(name, input) : result;
    },
  };
}

/**
 * The file that a call answers with; undefined when there is none.
 * @throws TypeError when there is no answer
 */
export async function fetchFile(path: `/api/${string}`): Promise<Blob | undefined> {
  const ask = (): Promise<Response> => {
    const headers = { authorization: `Bearer ${readToken() ?? ""}` };
    return fetchInOrder(path, { headers, credentials: "include" });
  };
  let answer = await ask();
  // Refused as forbidden, it needs a recent authentication: no page offers a file that is not its own.
  if (answer.status === 403 && ((await handlers?.stepUp()) ?? false)) answer = await ask();
  return answer.ok ? answer.blob() : undefined;
}

/**
 * Posts JSON; the answer's bytes are read by the caller as they arrive.
 * @throws TypeError when there is no answer, AbortError when it was given up
 */
export async function postForBytes(
  path: `/api/${string}`,
  body: unknown,
  signal: AbortSignal,
): Promise<Response> {
  const headers = {
    authorization: `Bearer ${readToken() ?? ""}`,
    "content-type": "application/json",
  };
  const init = {
    method: "POST",
    credentials: "include",
    body: JSON.stringify(body),
    headers,
    signal,
  } as const;
  const answer = await fetchInOrder(path, init);
  if (answer.status === 401) leaveForSignIn();
  return answer;
}
