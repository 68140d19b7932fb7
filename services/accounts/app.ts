import { addCalls } from "@pro-talent/platform/http/add-calls";
import { buildKeyedServer } from "@pro-talent/platform/http/keyed-server";
import { refuseOtherOrigins } from "@pro-talent/platform/http/plain-forms";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { readSignInSessions } from "@pro-talent/platform/http/sign-in-sessions";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { accountCalls, entryCalls } from "@pro-talent/schemas/accounts/calls";
import { factorCalls } from "@pro-talent/schemas/accounts/factor-calls";
import {
  internalAccountCalls,
  internalClosingCalls,
  internalCorrectionCalls,
  internalHeldCalls,
  internalLookedCalls,
  internalLookupCalls,
  internalOwnerCalls,
  internalSearchCalls,
  internalUseCalls,
  internalStaffCalls,
} from "@pro-talent/schemas/accounts/internal-calls";
import {
  internalFormerPageCalls,
  internalPageCalls,
} from "@pro-talent/schemas/accounts/public-page";
import { accessTokenCalls } from "@pro-talent/schemas/accounts/token-calls";
import { tablesWithIds } from "@pro-talent/schemas/primitives/data-map";
import type { FastifyInstance } from "fastify";

import { accessTokenHandlers } from "./access-tokens.ts";
import type { AccountsContext } from "./context.ts";
import { correctionHandlers } from "./corrections.ts";
import { accountsDataMaps } from "./data-map.ts";
import { entryHandlers } from "./entry.ts";
import { closingHandlers } from "./erase-account.ts";
import { factorContext } from "./factors/factor-context.ts";
import { factorSignInHandlers } from "./factors/factor-sign-in.ts";
import { setUpHandlers } from "./factors/set-up.ts";
import { stepUpHandlers } from "./factors/step-up.ts";
import { heldHandlers } from "./held.ts";
import { internalHandlers, lookupHandlers, ownerHandlers } from "./internal-calls.ts";
import { useHandlers } from "./last-use.ts";
import { lookedHandlers } from "./links-looked.ts";
import { sessionHandlers } from "./own-sessions.ts";
import { credentialHandlers, mailedLinkHandlers } from "./password-and-address.ts";
import { profileHandlers } from "./profile.ts";
import { formerPageHandlers, pageOwnerHandlers } from "./public-page.ts";
import { recoveryHandlers } from "./recoveries.ts";
import { officerIds, rolesOf } from "./roles/roles.ts";
import { searchHandlers } from "./search-erased.ts";
import { signInHandlers } from "./sign-in.ts";

export type AccountsAppOptions = {
  readonly context: AccountsContext;
  readonly log: Logger;
  readonly internalToken: string;
  readonly trustedProxies?: readonly string[];
  /** Calls of people who are not signed in that one network may make in a minute. */
  readonly entriesPerMinute: number;
  /** Calls of signed-in people that one network may make in a minute, reads and writes apart. */
  readonly callsPerMinute: number;
};

/** The accounts service over HTTP; it owns no process, timer or connection. */
export async function buildAccountsApp(options: AccountsAppOptions): Promise<FastifyInstance> {
  const { context, log, internalToken, entriesPerMinute, callsPerMinute } = options;
  const { sql, clock, keys, publicOrigin } = context;
  const app = buildKeyedServer({
    service: "accounts",
    sql,
    dataKeys: keys,
    log,
    publicOrigin,
    trustedProxies: options.trustedProxies ?? [],
    internalToken,
    sessions: readSignInSessions(sql, clock),
    clock,
  });
  const factors = factorContext(context);
  await app.register(async (scope) => {
    refuseOtherOrigins(scope, publicOrigin);
    await limitRate(scope, { writes: entriesPerMinute });
    addCalls(scope, entryCalls, {
      ...entryHandlers(context),
      ...signInHandlers(context),
      ...mailedLinkHandlers(context),
      ...recoveryHandlers(context),
      ...factorSignInHandlers(factors),
    });
  });
  await app.register(async (scope) => {
    refuseOtherOrigins(scope, publicOrigin);
    await limitRate(scope, { reads: callsPerMinute, writes: callsPerMinute });
    addCalls(scope, accountCalls, {
      ...profileHandlers(context),
      ...sessionHandlers(context),
      ...credentialHandlers(context),
    });
    addCalls(scope, accessTokenCalls, accessTokenHandlers(context));
    addCalls(scope, factorCalls, { ...setUpHandlers(factors), ...stepUpHandlers(factors) });
  });
  addInternalCalls(app, context, factors, log);
  return app;
}

/** What the other services ask for. */
function addInternalCalls(
  app: FastifyInstance,
  context: AccountsContext,
  factors: Parameters<typeof heldHandlers>[0],
  log: Logger,
): void {
  addCalls(app, internalAccountCalls, internalHandlers(context));
  addCalls(app, internalClosingCalls, closingHandlers(context));
  addCalls(app, internalCorrectionCalls, correctionHandlers(context));
  addCalls(app, internalHeldCalls, heldHandlers(factors));
  addCalls(app, internalLookedCalls, lookedHandlers(context));
  addCalls(app, internalOwnerCalls, ownerHandlers(context));
  addCalls(app, internalLookupCalls, lookupHandlers(context));
  addCalls(app, internalUseCalls, useHandlers(context));
  addCalls(app, internalPageCalls, pageOwnerHandlers(context));
  addCalls(app, internalFormerPageCalls, formerPageHandlers(context));
  addCalls(app, internalSearchCalls, searchHandlers(context, tablesWithIds(accountsDataMaps), log));
  addCalls(app, internalStaffCalls, {
    "GET /internal/accounts/officers": async () => ({
      accountIds: [...(await officerIds(context.sql))],
    }),
    "GET /internal/accounts/:accountId/roles": async ({ params: { accountId } }) => ({
      roles: await rolesOf(context.sql, accountId),
    }),
  });
}
