import { randomUUID } from "node:crypto";

import { LinkView } from "@pro-talent/schemas/links/calls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { type LinkService, openLinkService } from "./testing/link-service.ts";

let service: LinkService;
beforeAll(async () => {
  service = await openLinkService();
});
afterAll(() => service.close());

const external = { kind: "external", url: "https://example.com/cv" };
const pdf = (text = "") =>
  Buffer.from(`%PDF-1.7\n${text}\ntrailer <<>>\n%%EOF\n`).toString("base64");
const file = (name = "cv.pdf", content = pdf()) => ({ kind: "file", name, content });
const Answer = z.object({ link: LinkView });
const Many = z.object({ links: z.array(LinkView) });
const code = (answer: { json: () => unknown }) =>
  z.object({ code: z.string() }).parse(answer.json()).code;
const linkIn = (answer: { json: () => unknown }): LinkView => Answer.parse(answer.json()).link;
const resolve = async (asked: string) =>
  (
    await service.internal({
      method: "POST",
      url: "/internal/links/resolve",
      payload: { code: asked },
    })
  ).json<object>();

async function created(browser = service.browser(), change: object = {}) {
  const body = { label: "Acme", target: external, ...change };
  const answer = await browser.send("POST", "/api/links", body);
  expect(answer.statusCode).toBe(201);
  return { browser, link: linkIn(answer) };
}

it("a link whose key is gone, as after a restore, opens nothing", async () => {
  const { link } = await created();
  expect(await resolve(link.code)).toMatchObject({ status: "active" });
  await service.ledger.destroyKey(link.linkId);
  expect(await resolve(link.code)).toEqual({ status: "unknown" });
});

describe("an owner", () => {
  it("makes a link in one step, and sees it in the list", async () => {
    const { browser, link } = await created(undefined, { label: " Acme  Ltd ", note: "via Dana" });
    expect(link).toMatchObject({
      label: "Acme Ltd",
      note: "via Dana",
      status: "active",
      locked: false,
    });
    expect(link.code).toMatch(/^[0-9a-hjkmnp-tv-z]{12}$/u);
    const list = await browser.send("GET", "/api/links");
    expect(Many.parse(list.json()).links).toEqual([link]);
    expect(linkIn(await browser.send("GET", `/api/links/${link.linkId}`))).toEqual(link);
  });

  it.each([{}, { code: "repeated-code" }])(
    "who repeats a request has one link and one file: %o",
    async (chosen) => {
      const browser = service.browser();
      const key = randomUUID();
      const before = service.stored.size;
      const body = { label: "Acme", target: file(), ...chosen };
      const send = () => browser.send("POST", "/api/links", body, key);
      expect(linkIn(await send())).toEqual(linkIn(await send()));
      expect(Many.parse((await browser.send("GET", "/api/links")).json()).links).toHaveLength(1);
      expect(service.stored.size).toBe(before + 1);
    },
  );

  it("chooses a code that no one has, or had", async () => {
    const chosen = { code: "Dana-Levi-2026" };
    const { browser, link } = await created(undefined, chosen);
    expect(link.code).toBe("dana-levi-2026");
    const again = { label: "x", target: file(), code: "dana-levi-2026" };
    const stored = service.stored.size;
    expect(code(await service.browser().send("POST", "/api/links", again))).toBe("code_taken");
    await browser.send("DELETE", `/api/links/${link.linkId}`);
    expect(code(await service.browser().send("POST", "/api/links", again))).toBe("code_taken");
    expect(service.stored.size).toBe(stored);
  });

  it("makes a link for each of many recipients, all with one file", async () => {
    const browser = service.browser();
    const before = service.stored.size;
    const recipients = ["Acme", "Orion", "Vega"];
    const answer = await browser.send("POST", "/api/links/bulk", { recipients, target: file() });
    const { links } = Many.parse(answer.json());
    expect(links.map(({ label }) => label)).toEqual(recipients);
    expect(new Set(links.map((link) => link.code)).size).toBe(3);
    expect(service.stored.size).toBe(before + 1);
    for (const { linkId } of links.slice(1)) {
      await browser.send("DELETE", `/api/links/${linkId}`);
      await service.destroy(linkId);
    }
    expect(service.stored.size).toBe(before + 1);
    const last = links[0]?.linkId ?? "";
    await browser.send("DELETE", `/api/links/${last}`);
    await service.destroy(last);
    expect(service.stored.size).toBe(before);
  });

  it("changes what was stated, and only that", async () => {
    const { browser, link } = await created(undefined, { password: "let me in" });
    const change = { note: "sent on Monday", expiresAt: "2026-06-01T00:00:00.000Z" };
    const changed = linkIn(await browser.send("PATCH", `/api/links/${link.linkId}`, change));
    expect(changed).toEqual({ ...link, ...change });
    const open = await browser.send("PATCH", `/api/links/${link.linkId}`, { password: null });
    expect(linkIn(open)).toEqual({ ...changed, locked: false });
  });

  it("holds at most 500 links", async () => {
    const { browser } = await created();
    await service.ledger.owner`
      insert into ledger.link
      select gen_random_uuid(), account_id, target, file_id, locked, revoked, taken_down, reports,
             last_report, reported_at, expires_at, created_at, pos
        from ledger.link, generate_series(1, 498) where account_id = ${browser.accountId}`;
    const two = { recipients: ["Acme", "Orion"], target: external };
    expect(code(await browser.send("POST", "/api/links/bulk", two))).toBe("links_full");
    const one = { label: "Acme", target: external };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => browser.send("POST", "/api/links", one)),
    );
    const refused = answers.filter(({ statusCode }) => statusCode === 409);
    expect([answers.length, refused.length]).toEqual([8, 7]);
    expect(code(await browser.send("POST", "/api/links", one))).toBe("links_full");
  });

  it.each([
    ["file_unreadable", file("cv.pdf", Buffer.from("hello").toString("base64"))],
    [
      "file_unreadable",
      file("cv.docx", Buffer.from("PK\u0003\u0004 no document").toString("base64")),
    ],
    ["file_protected", file("cv.pdf", pdf("/Encrypt 5 0 R"))],
    [
      "file_protected",
      file("cv.docx", Buffer.from("d0cf11e0a1b11ae100", "hex").toString("base64")),
    ],
    ["file_too_large", file("cv.pdf", Buffer.alloc(10 * 1024 * 1024 + 1).toString("base64"))],
    ["invalid_body", { kind: "external", url: "https://127.0.0.1/admin" }],
    ["invalid_body", { kind: "external", url: "javascript:alert(1)" }],
  ])("is refused with %s", async (refusal, target) => {
    const answer = await service.browser().send("POST", "/api/links", { label: "x", target });
    expect(code(answer)).toBe(refusal);
  });
});

it("a link may lead to its owner's page", async () => {
  const { browser, link } = await created(undefined, { target: { kind: "profile" } });
  expect(link).toMatchObject({ target: "profile", url: null, file: null });
  expect(await resolve(link.code)).toMatchObject({
    status: "active",
    target: "profile",
    accountId: browser.accountId,
  });
});

describe("another account", () => {
  it("finds nothing of a link: each call answers as of one that does not exist", async () => {
    const { link } = await created();
    const stranger = service.browser();
    const calls = [
      ["GET", ""],
      ["PATCH", "", { note: "mine" }],
      ["POST", "/revoke"],
      ["POST", "/restore"],
      ["DELETE", ""],
    ] as const;
    for (const [method, path, payload] of calls) {
      const asked = await Promise.all(
        [link.linkId, randomUUID()].map((id) =>
          stranger.send(method, `/api/links/${id}${path}`, payload),
        ),
      );
      const [theirs, none] = asked.map((answer) => ({
        status: answer.statusCode,
        code: code(answer),
      }));
      expect(theirs).toEqual({ status: 404, code: "link_not_found" });
      expect(theirs).toEqual(none);
    }
    const target = { kind: "file-of", linkId: link.linkId };
    expect(code(await stranger.send("POST", "/api/links", { label: "x", target }))).toBe(
      "link_not_found",
    );
  });
});

describe("the collector", () => {
  it("resolves a code in any case, until the link ends, is revoked, taken down or deleted", async () => {
    const expiresAt = "2026-03-02T00:00:00.000Z";
    const { browser, link } = await created(undefined, { code: "spring-cv", expiresAt });
    const open = {
      status: "active",
      linkId: link.linkId,
      url: external.url,
      accountId: browser.accountId,
    };
    expect(await resolve("SPRING-cv")).toMatchObject(open);
    await browser.send("POST", `/api/links/${link.linkId}/revoke`);
    expect(await resolve("spring-cv")).toEqual({ status: "revoked" });
    await browser.send("POST", `/api/links/${link.linkId}/restore`);
    expect(await resolve("spring-cv")).toMatchObject(open);
    service.moveClock(24 * 60 * 60 * 1000);
    expect(await resolve("spring-cv")).toEqual({ status: "expired" });
    await browser.send("PATCH", `/api/links/${link.linkId}`, { expiresAt: null });
    expect(await resolve("spring-cv")).toMatchObject(open);
    const administrator = service.browser(["holder", "administrator"]);
    await service.app.inject({
      method: "POST",
      url: "/api/links/report",
      payload: { code: "spring-cv", reason: "phishing" },
    });
    const reported = await administrator.send("GET", "/api/console/links/reported");
    expect(JSON.stringify(reported.json())).toContain(link.linkId);
    expect(JSON.stringify(reported.json())).not.toContain("Acme");
    const path = `/api/console/links/${link.linkId}`;
    await administrator.send("POST", `${path}/take-down`, { reason: "phishing" });
    expect(await resolve("spring-cv")).toEqual({ status: "taken-down" });
    expect(code(await browser.send("POST", `/api/links/${link.linkId}/restore`))).toBe(
      "link_taken_down",
    );
    await administrator.send("POST", `${path}/reinstate`);
    await browser.send("DELETE", `/api/links/${link.linkId}`);
    expect(await resolve("spring-cv")).toEqual({ status: "unknown" });
    expect(await resolve("no-such-link")).toEqual({ status: "unknown" });
  });

  it("verifies the password of a locked link", async () => {
    const { link } = await created(undefined, { password: "פתח לי" });
    const unlock = async (password: string) =>
      (
        await service.internal({
          method: "POST",
          url: `/internal/links/${link.linkId}/unlock`,
          payload: { password },
        })
      ).json<object>();
    expect(await unlock("פתח לי")).toEqual({ opens: true });
    expect(await unlock("open")).toEqual({ opens: false });
    expect(await resolve(link.code)).toMatchObject({ locked: true });
  });

  it("reads the file of a link, which is stored unreadably, and no more once it is deleted", async () => {
    const { browser, link } = await created(undefined, {
      target: file("קורות חיים.pdf", pdf("SECRET")),
    });
    expect(link.file).toMatchObject({ name: "קורות חיים.pdf", kind: "pdf" });
    const read = () =>
      service.internal({ method: "GET", url: `/internal/links/${link.linkId}/file` });
    expect((await read()).rawPayload.toString()).toContain("SECRET");
    for (const content of service.stored.values())
      expect(Buffer.from(content).includes("SECRET")).toBe(false);
    await browser.send("DELETE", `/api/links/${link.linkId}`);
    await service.destroy(link.linkId);
    expect((await read()).statusCode).toBe(404);
  });
});

it("a file whose link was never recorded is removed after a day, and no other", async () => {
  const { link } = await created(undefined, { target: file() });
  const named = `links/${link.file?.fileId ?? ""}`;
  const orphan = `links/${randomUUID()}`;
  await service.files.write(orphan, Buffer.from("sealed"));
  service.moveClock(23 * 60 * 60 * 1000);
  await service.sweep();
  expect(service.stored.has(orphan)).toBe(true);
  service.moveClock(2 * 60 * 60 * 1000);
  await service.sweep();
  expect([service.stored.has(orphan), service.stored.has(named)]).toEqual([false, true]);
});

it("what a link is about is nowhere in the ledger in clear", async () => {
  const words = { label: "Zephyr Dynamics", note: "Ask for Miriam", code: "zephyr-dynamics" };
  await created(undefined, {
    ...words,
    target: { kind: "external", url: "https://zephyr.example/apply" },
  });
  const [found] = await service.ledger.owner<{ text: string }[]>`
    select (select coalesce(string_agg(e::text, ' '), '') from ledger.event e)
        || (select coalesce(string_agg(c::text, ' '), '') from ledger.command c)
        || (select coalesce(string_agg(l::text, ' '), '') from ledger.link l) as text`;
  expect(found?.text).toContain("LinkDescribed");
  for (const word of ["ephyr", "Miriam", "zephyr.example"]) expect(found?.text).not.toContain(word);
});
