import { QueryClient } from "@tanstack/react-query";

import { mayRecover } from "../../api-client/query-answer.ts";
import { createApiClient } from "../../api-client/request.ts";
import { readToken, removeToken, tokenStorageKey } from "../../api-client/token.ts";
import { accountQuery } from "../../features/account-query.ts";
import { forgetQueries } from "../../features/analyst/forget-queries.ts";
import { forgetDrafts } from "../../features/form-draft.ts";

const staleMs = 30_000;
/** What was shown is shown at once when its page is opened again, while it is asked for anew. */
const keptMs = 60 * 60_000;

/** What the server has answered. In memory only: it is personal, and computers are shared. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: staleMs, gcTime: keptMs, retry: mayRecover } },
});

/** Nothing personal stays in this browser; the home page opens as a new document. */
function leave(): void {
  removeToken();
  forgetDrafts();
  forgetQueries();
  queryClient.clear();
  location.assign("/");
}

/** Ends the sign-in session, here and on the server, also when the server does not answer. */
export async function signOut(): Promise<void> {
  // A session that has ended already must not lead to the sign-in page.
  const api = createApiClient({ origin: "", readToken, onUnauthorized: () => undefined });
  const ended = api.call("POST /api/account/sign-out", { keepalive: true });
  // The call has its token; what is shown need not wait for the answer.
  leave();
  await ended.catch(() => undefined);
}

/** Another tab has signed in. With another account, nothing of the earlier account may stay. */
async function followSignIn(): Promise<void> {
  const before = queryClient.getQueryData(accountQuery.queryKey)?.accountId;
  if (before === undefined) return;
  const { accountId } = await queryClient.query({ ...accountQuery, staleTime: 0 });
  if (accountId !== before) location.reload();
}

/** Nothing personal stays on screen after a sign-out in another tab, or by going back to a page. */
export function followOtherTabs(): void {
  window.addEventListener("storage", ({ key }) => {
    if (key !== null && key !== tokenStorageKey) return;
    if (readToken() === null) leave();
    else followSignIn().catch(() => undefined);
  });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}
