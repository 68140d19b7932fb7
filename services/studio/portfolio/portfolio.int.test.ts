import { randomUUID } from "node:crypto";

import { PortfolioDocument } from "@pro-talent/schemas/studio/portfolio";
import { internalPortfolioCalls, Portfolio } from "@pro-talent/schemas/studio/portfolio-calls";
import { plainRuns } from "@pro-talent/schemas/studio/rich-text";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { eraseCvs, searchStudio } from "../erase.ts";
import {
  internalToken,
  openStudioUnderTest,
  refusalIn,
  type Studio,
} from "../testing/studio-under-test.ts";
import type { Plan } from "./plan.ts";

const whole: Plan = { mayPublish: true, mayCustomize: true, takenDown: false };
let plan = whole;
let studio: Studio;
beforeAll(async () => {
  studio = await openStudioUnderTest({ planOf: async () => plan });
});
afterAll(() => studio.drop());

const draft = (change: object = {}, language = "en"): PortfolioDocument =>
  PortfolioDocument.parse({
    version: 1,
    language,
    look: {},
    profile: { fullName: "Dana Levi", headline: "Designer" },
    sections: [
      { id: "about", kind: "summary", entries: [{ id: "a1", text: plainRuns("Ten years.") }] },
    ],
    ...change,
  });
const path = "/api/portfolio/pages/en";
const save = (accountId: string, document: PortfolioDocument, basedOn: number | null = null) =>
  studio.call(accountId, `PUT /api/portfolio/pages/${document.language}`, { basedOn, document });
const portfolioOf = async (accountId: string) =>
  z
    .object({ portfolio: Portfolio })
    .parse((await studio.call(accountId, "GET /api/portfolio")).json()).portfolio;
const publish = (accountId: string, version = 1, state = "published") =>
  studio.call(accountId, "POST /api/portfolio/publish", {
    state,
    pages: [{ language: "en", version }],
  });

const shownCall = "POST /internal/portfolios/of/:accountId/shown";
const shownTo = async (accountId: string, revision: string | null = null) =>
  internalPortfolioCalls[shownCall].answer.parse(
    (
      await studio.call(internalToken, `POST /internal/portfolios/of/${accountId}/shown`, {
        revision,
      })
    ).json(),
  );
async function htmlOf(accountId: string): Promise<string> {
  const shown = await shownTo(accountId);
  return shown.status === "shown" ? (shown.pages[0]?.html ?? "") : "";
}

async function picture(accountId: string, width = 40, height = 20): Promise<string> {
  const image = sharp({ create: { width, height, channels: 3, background: "teal" } });
  const jpeg = await image
    .withExif({ IFD0: { Artist: "Secret Artist" } })
    .jpeg()
    .toBuffer();
  const content = jpeg.toString("base64");
  const answer = await studio.call(accountId, "POST /api/portfolio/pictures", { content });
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toMatchObject({ width, height });
  return z.object({ file: z.string() }).parse(answer.json()).file;
}
const withPicture = (file: string, alt: string) =>
  draft({
    sections: [
      {
        id: "made",
        kind: "projects",
        entries: [{ id: "p1", name: "Chart", pictures: [{ id: "x1", file, alt }] }],
      },
    ],
  });

describe("the owner of a portfolio", () => {
  it("begins with none, and sees what they may do with it", async () => {
    const portfolio = await portfolioOf(randomUUID());
    expect(portfolio).toEqual({
      state: "draft",
      locked: false,
      expiresAt: null,
      inSearch: false,
      contactForm: false,
      pages: [],
      ...whole,
    });
  });

  it("saves drafts that no one else sees, in two tabs at once, and finds earlier versions", async () => {
    const accountId = randomUUID();
    expect((await save(accountId, draft())).json()).toMatchObject({
      page: { version: 1, published: null },
      conflicts: [],
    });
    expect(await shownTo(accountId)).toEqual({ status: "none" });
    const named = draft({ profile: { fullName: "Dana L.", headline: "Designer" } });
    await save(accountId, named, 1);
    const elsewhere = draft({ profile: { fullName: "Dana Levi", headline: "Engineer" } });
    const merged = await save(accountId, elsewhere, 1);
    expect(merged.json()).toMatchObject({
      page: { version: 3, document: { profile: { fullName: "Dana L.", headline: "Engineer" } } },
      conflicts: [],
    });
    const both = await save(
      accountId,
      draft({ profile: { fullName: "D.", headline: "Designer" } }),
      1,
    );
    expect(both.json()).toMatchObject({ conflicts: [{ path: "profile/fullName", mine: "D." }] });
    const versions = await studio.call(accountId, `GET ${path}/versions`);
    expect(versions.json<{ versions: unknown[] }>().versions).toHaveLength(4);
    const first = await studio.call(accountId, `GET ${path}/versions/1`);
    expect(first.json()).toMatchObject({ document: draft() });
    expect(refusalIn(await save(accountId, draft(), null))[1]).toBe("portfolio_version_not_kept");
  });

  it("publishes a version, edits on without readers seeing it, and takes it back", async () => {
    const accountId = randomUUID();
    await save(accountId, draft());
    expect((await publish(accountId)).json()).toMatchObject({
      portfolio: { state: "published", pages: [{ published: { version: 1 } }] },
    });
    await save(accountId, draft({ profile: { fullName: "Not yet" } }), 1);
    const html = await htmlOf(accountId);
    expect(html).toContain("Dana Levi");
    expect(html).not.toContain("Not yet");
    await publish(accountId, 2, "unlisted");
    expect(await htmlOf(accountId)).toContain("Not yet");
    await studio.call(accountId, "POST /api/portfolio/unpublish");
    expect(await shownTo(accountId)).toEqual({ status: "none" });
  });

  it("publishes only what the plan includes, and nothing that was taken down", async () => {
    const accountId = randomUUID();
    await save(accountId, draft({ look: { theme: "poster", accent: "rust" } }));
    const refused = async (change: Partial<Plan>) => {
      plan = { ...whole, ...change };
      const refusal = refusalIn(await publish(accountId));
      plan = whole;
      return refusal;
    };
    expect(await refused({ mayPublish: false })).toEqual([403, "portfolio_not_included"]);
    expect(await refused({ mayCustomize: false })).toEqual([403, "look_not_included"]);
    expect(await refused({ takenDown: true })).toEqual([409, "portfolio_taken_down"]);
    expect(refusalIn(await publish(accountId, 7))[1]).toBe("portfolio_version_not_found");
    expect((await publish(accountId)).statusCode).toBe(200);
  });

  it("sets a password, an end, search and the form; each change is another revision", async () => {
    const accountId = randomUUID();
    await save(accountId, draft());
    await publish(accountId);
    const before = await shownTo(accountId);
    const revision = before.status === "shown" ? before.revision : "";
    expect(await shownTo(accountId, revision)).toEqual({ status: "unchanged" });
    const expiresAt = new Date(studio.context.clock() + 60_000).toISOString();
    const change = { password: "open sesame", expiresAt, inSearch: true, contactForm: true };
    const changed = await studio.call(accountId, "PATCH /api/portfolio", change);
    expect(changed.json()).toMatchObject({ portfolio: { locked: true, inSearch: true } });
    const after = await shownTo(accountId, revision);
    expect(after).toMatchObject({ status: "shown", contactForm: true, expiresAt });
    const unlock = (password: string) =>
      studio.internal(
        `POST /internal/portfolios/of/${accountId}/unlock`,
        { opens: z.boolean() },
        { password },
      );
    expect(await unlock("open sesame")).toEqual({ opens: true });
    expect(await unlock("sesame")).toEqual({ opens: false });
    studio.advance(60_000);
    expect(await shownTo(accountId)).toEqual({ status: "none" });
    const past = await studio.call(accountId, "PATCH /api/portfolio", { expiresAt });
    expect(refusalIn(past)).toEqual([422, "portfolio_expiry_past"]);
  });

  it("shows pictures without their metadata, each with its text", async () => {
    const accountId = randomUUID();
    const file = await picture(accountId);
    await save(accountId, withPicture(file, ""));
    expect(refusalIn(await publish(accountId))).toEqual([422, "picture_without_text"]);
    await save(accountId, withPicture(file, "A chart"), 1);
    const asked = `GET /internal/portfolios/of/${accountId}/pictures/${file}`;
    expect((await studio.call(internalToken, asked)).statusCode).toBe(404);
    await publish(accountId, 2);
    const answer = await studio.call(internalToken, asked);
    expect(answer.rawPayload.toString("latin1")).not.toContain("Secret Artist");
    expect(await htmlOf(accountId)).toContain(
      `src="<base>/pictures/${file}" alt="A chart" width="40" height="20"`,
    );
    const own = await studio.call(accountId, `GET /api/portfolio/pictures/${file}`);
    expect(own.statusCode).toBe(200);
    const others = await studio.call(randomUUID(), `GET /api/portfolio/pictures/${file}`);
    expect(others.statusCode).toBe(404);
  });

  it("cannot store what is no picture, or one that is a bomb", async () => {
    const bomb = await sharp({
      create: { width: 9000, height: 9000, channels: 3, background: "white" },
      limitInputPixels: false,
    })
      .png()
      .toBuffer();
    for (const bytes of [Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), bomb]) {
      const content = bytes.toString("base64");
      const answer = await studio.call(randomUUID(), "POST /api/portfolio/pictures", { content });
      expect(refusalIn(answer)).toEqual([422, "picture_unreadable"]);
    }
  });

  it("starts from a CV, without its mailbox and telephone number", async () => {
    const { accountId, cvId } = await studio.make();
    const answer = await studio.call(accountId, "POST /api/portfolio/from-cv", { cvId });
    const { document } = z.object({ document: PortfolioDocument }).parse(answer.json());
    expect(document.profile).not.toHaveProperty("email");
    const foreign = await studio.call(randomUUID(), "POST /api/portfolio/from-cv", { cvId });
    expect(refusalIn(foreign)).toEqual([404, "cv_not_found"]);
  });

  it("previews a page that is not stored, with pictures at addresses of their own", async () => {
    const accountId = randomUUID();
    const file = await picture(accountId);
    const document = withPicture(file, "A chart");
    const answer = await studio.call(accountId, "POST /api/portfolio/preview", { document });
    const { html } = answer.json<{ html: string }>();
    expect(html).toContain(`src="/api/portfolio/pictures/${file}"`);
    expect(html).not.toContain("<base>");
  });

  it("offers the CV that they chose, and no one else's", async () => {
    const { accountId, cvId } = await studio.make();
    const other = await studio.make();
    const asked = `GET /internal/portfolios/of/${accountId}/cv/en`;
    await save(accountId, draft({ cvId: other.cvId }));
    await publish(accountId);
    expect(await htmlOf(accountId)).not.toContain("/cv/en");
    expect((await studio.call(internalToken, asked)).statusCode).toBe(404);
    await save(accountId, draft({ cvId }), 1);
    await publish(accountId, 2);
    expect(await htmlOf(accountId)).toContain('href="<base>/cv/en"');
    const answer = await studio.call(internalToken, asked);
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe("%PDF-");
  });
});

it("what a portfolio says is nowhere in clear, is given to its owner, and is erased with the account", async () => {
  const accountId = randomUUID();
  const file = await picture(accountId);
  const name = `Zebulon ${accountId.slice(0, 8)}`;
  await save(accountId, {
    ...withPicture(file, "A chart"),
    profile: { ...draft().profile, fullName: name },
  });
  await publish(accountId);
  const [found] = await searchStudio(studio.sql, [{ values: [name], ids: [] }]);
  expect(found).toMatchObject({ hits: 0 });
  const held = await studio.internal(`GET /internal/cvs/of/${accountId}/held`, {
    files: z.array(z.object({ name: z.string(), fileId: z.string() })),
  });
  expect(held.files.map((one) => one.name)).toEqual(["portfolio.json", "portfolio-picture.webp"]);
  const own = await studio.call(
    internalToken,
    `GET /internal/cvs/of/${accountId}/files/${accountId}`,
  );
  expect(own.body).toContain(name);
  const erased = await studio.sql.begin((tx) => eraseCvs(tx, accountId));
  expect(erased).toEqual({ found: 5, left: 0 });
});
