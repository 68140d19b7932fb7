import { afterAll, beforeAll, expect, it } from "vitest";

import { storeFormerPage } from "./public-page.ts";
import {
  type AccountsUnderTest,
  internalToken,
  openAccountsUnderTest,
} from "./testing/accounts-under-test.ts";

let accounts: AccountsUnderTest;
beforeAll(async () => {
  accounts = await openAccountsUnderTest();
});
afterAll(() => accounts.drop());

const internal = (name: string, body?: object) =>
  accounts.call(name, { token: internalToken, ...(body && { body }) });
const ownerOf = (by: object) => internal("POST /internal/accounts/page", by);
const chooseHandle = (token: string, handle: string | null) =>
  accounts.call("PATCH /api/account/profile", { token, body: { handle } });
async function join(email: string): Promise<{ token: string; accountId: string }> {
  const token = await accounts.join(email);
  const account = await accounts.call("GET /api/account", { token });
  return { token, accountId: account.json<{ accountId: string }>().accountId };
}

it("an open account is found by the handle that its holder chose, and by nothing that looks like it", async () => {
  const { token, accountId } = await join("dana@example.com");
  expect((await ownerOf({ accountId })).json()).toMatchObject({ accountId, handle: null });
  await chooseHandle(token, "dana-levi");
  expect((await ownerOf({ handle: "dana-levi" })).json()).toMatchObject({ accountId });
  for (const handle of ["danalevi", "dana-1evi"])
    expect((await ownerOf({ handle })).statusCode).toBe(404);
  await chooseHandle(token, null);
  expect((await ownerOf({ handle: "dana-levi" })).statusCode).toBe(404);
  await internal(`POST /internal/accounts/${accountId}/closing`, {});
  expect((await ownerOf({ accountId })).statusCode).toBe(404);
});

it("a page of before there were portfolios is handed over once, and then deleted", async () => {
  const { accountId } = await join("before@example.com");
  const { sql, keys } = accounts.context;
  const page = {
    headline: "Product designer",
    summary: "Ten years of tools for nurses.",
    links: [{ label: "Work", url: "https://example.com/work" }],
    published: true,
  };
  await storeFormerPage(sql, keys, accountId, page);
  const rows = await sql`select p::text from accounts.public_page p`;
  expect(JSON.stringify(rows)).not.toContain("nurses");
  const path = `/internal/accounts/${accountId}/former-page`;
  const pending = await internal("GET /internal/accounts/former-pages");
  expect(pending.json()).toEqual({ accountIds: [accountId] });
  expect((await internal(`GET ${path}`)).json()).toMatchObject({
    accountId,
    page,
    hasPhoto: false,
  });
  expect((await internal(`DELETE ${path}`)).json()).toEqual({ account: true });
  expect((await internal(`DELETE ${path}`)).json()).toEqual({ account: true });
  expect((await internal(`GET ${path}`)).statusCode).toBe(404);
  expect((await internal("GET /internal/accounts/former-pages")).json()).toEqual({
    accountIds: [],
  });
});
