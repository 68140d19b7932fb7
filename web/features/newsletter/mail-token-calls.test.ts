import { expect, test } from "vitest";

import type { ApiClient, CallResult } from "../../api-client/request.ts";
import { confirm, loadPreferences, resend, unsubscribe } from "./mail-token-calls.ts";

/** A platform that refuses every call with this code. */
const refusing = (code: string | undefined): ApiClient => ({
  call: async () => {
    const refusal: unknown = { ok: false, status: 400, code, error: undefined };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- also codes that the contract does not name
    return refusal as CallResult<never>;
  },
});

test.each([
  ["token_unknown", "unknown", "unknown", "unknown"],
  ["invalid_body", "unknown", "unknown", "unknown"],
  ["token_used", "used", "used", "failed"],
  ["token_expired", "expired", "failed", "failed"],
  ["token_superseded", "superseded", "failed", "failed"],
  ["rate_limited", "failed", "tooMany", "failed"],
  ["ledger_unavailable", "failed", "failed", "failed"],
  [undefined, "failed", "failed", "failed"],
])("%s: confirming is %s, another mail %s, the rest %s", async (code, confirmed, resent, rest) => {
  const api = refusing(code);
  expect((await confirm(api, "t-1")).kind).toBe(confirmed);
  expect((await resend(api, "t-1")).kind).toBe(resent);
  expect((await loadPreferences(api, "t-1")).kind).toBe(rest);
  expect((await unsubscribe(api, "t-1")).kind).toBe(rest);
});
