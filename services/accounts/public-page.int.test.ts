import { afterAll, beforeAll, describe, expect, it } from "vitest";

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

const page = {
  headline: "Product designer",
  summary: "Ten years of tools for nurses.",
  links: [{ label: "Work", url: "https://example.com/work" }],
  published: true,
};
const write = (token: string, body: object = page) =>
  accounts.call("PUT /api/account/page", { token, body });
const shown = (by: object) =>
  accounts.call("POST /internal/accounts/page", { token: internalToken, body: by });
const chooseHandle = (token: string, handle: string | null) =>
  accounts.call("PATCH /api/account/profile", { token, body: { handle } });

describe("an account holder", () => {
  it("begins with an empty page that is not published", async () => {
    const token = await accounts.join("empty@example.com");
    const answer = await accounts.call("GET /api/account/page", { token });
    expect(answer.json()).toEqual({ headline: "", summary: "", links: [], published: false });
  });

  it("publishes a page under a handle, and only there", async () => {
    const token = await accounts.join("dana@example.com");
    expect((await write(token)).json()).toMatchObject({ code: "handle_missing" });
    await chooseHandle(token, "dana-levi");
    expect((await write(token)).json()).toEqual(page);
    const { published: _published, ...content } = page;
    const answer = await shown({ handle: "dana-levi" });
    expect(answer.json()).toMatchObject({ ...content, handle: "dana-levi", hasPhoto: false });
    expect((await shown({ handle: "danalevi" })).statusCode).toBe(404);
    const { accountId } = answer.json<{ accountId: string }>();
    expect((await shown({ accountId })).statusCode).toBe(200);
    await chooseHandle(token, null);
    expect((await shown({ accountId })).statusCode).toBe(404);
  });

  it("takes the page back, and finds what was written", async () => {
    const token = await accounts.join("shy@example.com");
    await chooseHandle(token, "shy-person");
    await write(token, { ...page, published: false });
    expect((await shown({ handle: "shy-person" })).statusCode).toBe(404);
    const stored = await accounts.call("GET /api/account/page", { token });
    expect(stored.json()).toEqual({ ...page, published: false });
  });

  it.each([
    [{ links: [{ label: "x", url: "javascript:alert(1)" }] }],
    [{ links: Array.from({ length: 7 }, () => page.links[0]) }],
    [{ headline: "x".repeat(121) }],
  ])("cannot write %o", async (change) => {
    const token = await accounts.join(`${crypto.randomUUID()}@example.com`);
    expect((await write(token, { ...page, ...change })).statusCode).toBe(422);
  });
});

it("what a page says is nowhere in the database in clear", async () => {
  const rows = await accounts.sql`select p::text from accounts.public_page p`;
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain("nurses");
});
