import { type AccountAccess, refusalOf, signedIn } from "@pro-talent/schemas/primitives/access";
import { pageAccess } from "@pro-talent/schemas/site/page-access";
import { matchPath, type MiddlewareFunction, redirect } from "react-router-dom";

import { CallFailure } from "../../api-client/query-answer.ts";
import { readToken, signInAddress } from "../../api-client/token.ts";
import { accountQuery } from "../../features/account-query.ts";
import { queryClient } from "./query-client.ts";

/** Where an account of staff sets up the second factor that its role needs. */
export const factorPage = "/account/security";

/** What is known of the account is enough; pages that show it ask again when it is old. */
const known = { ...accountQuery, staleTime: "static" } as const;

/** Who may open the page at a path; a page without an entry is for every account. */
export function accessOf(pathname: string): AccountAccess {
  const entry = Object.entries(pageAccess).find(([pattern]) => matchPath(pattern, pathname));
  return entry?.[1] ?? signedIn;
}

/**
 * Opens a page only for those who may see it. Without a token, or with one that the server refuses,
 * the sign-in page opens, which leads back. The account is loaded once; step-up is asked for when it
 * is needed, not here.
 */
export const guard: MiddlewareFunction = async ({ request }, next) => {
  const { pathname, search } = new URL(request.url);
  const toSignIn = () => redirect(signInAddress(pathname + search));
  // oxlint-disable-next-line typescript/only-throw-error -- how a middleware redirects
  if (readToken() === null) throw toSignIn();
  const account = await queryClient.query(known).catch((error: unknown) => {
    throw error instanceof CallFailure && error.status === 401 ? toSignIn() : error;
  });
  const refusal = refusalOf(accessOf(pathname), { ...account, authenticatedMs: 0 }, 0);
  // oxlint-disable-next-line typescript/only-throw-error -- how a middleware redirects
  if (refusal === "factor_required") throw redirect(factorPage);
  // oxlint-disable-next-line typescript/only-throw-error -- how a middleware answers with a status
  if (refusal === "forbidden") throw new Response(null, { status: 403 });
  return next();
};
