import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { internalCorrectionCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { Correctable } from "@pro-talent/schemas/privacy/correction";

import { lockAccount, readHolder, writeProfile } from "./accounts.ts";
import type { AccountsContext } from "./context.ts";

/** Corrections of a profile that an officer approved. */
export function correctionHandlers({
  sql,
  keys,
}: AccountsContext): CallHandlers<typeof internalCorrectionCalls> {
  return {
    "GET /internal/accounts/:accountId/correctable": async ({ params: { accountId } }) => {
      const holder = await readHolder(sql, keys, accountId);
      if (holder === undefined) throw new ProblemError("not_found");
      return Correctable.parse(holder.profile);
    },
    "POST /internal/accounts/:accountId/corrections": async ({ params: { accountId }, body }) => {
      const { held, asked } = body;
      return await sql.begin(async (tx) => {
        await lockAccount(tx, accountId);
        const holder = await readHolder(tx, keys, accountId);
        if (holder === undefined) throw new ProblemError("not_found");
        const now = Correctable.parse(holder.profile);
        const isCurrent = Correctable.keyof().options.every(
          (field) => asked[field] === undefined || [held[field], asked[field]].includes(now[field]),
        );
        if (!isCurrent) return { status: "outdated" as const, now };
        await writeProfile(tx, keys, accountId, { ...holder.profile, ...asked });
        return { status: "corrected" as const, now: { ...now, ...asked } };
      });
    },
  };
}
