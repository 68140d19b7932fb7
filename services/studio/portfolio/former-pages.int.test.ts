import { randomUUID } from "node:crypto";

import { addCalls } from "@pro-talent/platform/http/add-calls";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { type FormerPage, internalFormerPageCalls } from "@pro-talent/schemas/accounts/public-page";
import { Portfolio } from "@pro-talent/schemas/studio/portfolio-calls";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { internalToken, openStudioUnderTest, type Studio } from "../testing/studio-under-test.ts";
import { takeOverPages } from "./former-pages.ts";

/** Pages that the accounts service has still, and the accounts that are gone when it is asked to delete one. */
const pages = new Map<string, FormerPage>();
const gone = new Set<string>();
let photo: Buffer;
let studio: Studio;
const accounts = buildServer({
  log: createLogger({ service: "accounts", level: "silent" }),
  publicOrigin: undefined,
  internalToken,
});
let url = "";
beforeAll(async () => {
  addCalls(accounts, internalFormerPageCalls, {
    "GET /internal/accounts/former-pages": async () => ({ accountIds: [...pages.keys()] }),
    "GET /internal/accounts/:accountId/former-page": async ({ params: { accountId } }) => {
      const page = pages.get(accountId);
      if (page === undefined) throw new ProblemError("not_found");
      return {
        accountId,
        handle: "dana",
        fullName: "דנה לוי",
        language: "he" as const,
        page,
        hasPhoto: true,
      };
    },
    "DELETE /internal/accounts/:accountId/former-page": async ({ params: { accountId } }) => {
      pages.delete(accountId);
      return { account: !gone.has(accountId) };
    },
  });
  accounts.get("/internal/accounts/:accountId/photo", async (_request, reply) =>
    reply.type("image/webp").send(photo),
  );
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } });
  photo = await image.webp().toBuffer();
  [studio, url] = await Promise.all([openStudioUnderTest(), accounts.listen({ port: 0 })]);
});
afterAll(async () => {
  await Promise.all([studio.drop(), accounts.close()]);
});

const takeOver = () => takeOverPages(studio.context, { url, internalToken });
const written: FormerPage = {
  headline: "מעצבת",
  summary: "עשר שנים.\n\nעם אחיות.",
  links: [{ label: "Work", url: "https://example.com/work" }],
  published: true,
};
async function portfolioOf(accountId: string): Promise<Portfolio> {
  const answer = await studio.call(accountId, "GET /api/portfolio");
  return z.object({ portfolio: Portfolio }).parse(answer.json()).portfolio;
}

it("a page of before becomes a portfolio with everything that was written, published where it was", async () => {
  const [shown, hidden] = [randomUUID(), randomUUID()];
  pages.set(shown, written).set(hidden, { ...written, published: false });
  expect(await takeOver()).toBe(2);
  const portfolio = await portfolioOf(shown);
  expect(portfolio).toMatchObject({
    state: "published",
    pages: [
      {
        language: "he" as const,
        published: { version: 1 },
        document: {
          look: { theme: "folio", accent: "ink" },
          profile: { fullName: "דנה לוי", headline: "מעצבת", links: written.links },
          sections: [
            { entries: [{ text: [{ text: "עשר שנים." }] }, { text: [{ text: "עם אחיות." }] }] },
          ],
        },
      },
    ],
  });
  expect(portfolio.pages[0]?.document.profile.photo).not.toBeNull();
  expect(await portfolioOf(hidden)).toMatchObject({ state: "draft", pages: [{ published: null }] });
  expect(await takeOver()).toBe(0);
});

it("a page that its owner has begun already stays; the one of before is a version under it, once", async () => {
  const accountId = randomUUID();
  const document = { version: 1, language: "he", look: {}, profile: { fullName: "דנה" } };
  await studio.call(accountId, "PUT /api/portfolio/pages/he", { basedOn: null, document });
  for (let time = 0; time < 2; time += 1) {
    pages.set(accountId, written);
    await takeOver();
  }
  expect(await portfolioOf(accountId)).toMatchObject({
    state: "draft",
    pages: [{ version: 3, document: { profile: { fullName: "דנה" } } }],
  });
  const before = await studio.call(accountId, "GET /api/portfolio/pages/he/versions/2");
  expect(before.json()).toMatchObject({ document: { profile: { headline: "מעצבת" } } });
});

it("an account that was erased meanwhile keeps nothing", async () => {
  const accountId = randomUUID();
  pages.set(accountId, written);
  gone.add(accountId);
  await takeOver();
  const rows = await studio.sql`select from studio.data_key where key_id = ${accountId}`;
  expect(rows).toHaveLength(0);
});
