import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startTracedProduct } from "../../../infra/docker/traced-product.ts";
import { banner, consentTexts } from "../consent-page.ts";
import { signInAs } from "../demo-sign-in.ts";
import { newVisitor } from "../fixtures.ts";
import { closeContexts, sharedBrowser } from "../kept-contexts.ts";
import { MailBox } from "../mail-box.ts";
import { texts } from "../texts.ts";

/** What is deployed, as processes, and what leads through several of them: traces to a row, and to a last step. */
let product: Awaited<ReturnType<typeof startTracedProduct>>;
beforeAll(async () => {
  product = await startTracedProduct();
}, 180_000);
afterAll(async () => {
  await closeContexts(product.origin);
  await product.stop();
});

const button = (page: Page, name: string) =>
  page.locator("main").getByRole("button", { name, exact: true });
const visit = async () => newVisitor(await sharedBrowser(), product.origin, {});
type Spans = ReturnType<typeof product.spansOf>;
/** Spans that hang on no span of the trace, beside its first. */
const orphans = (spans: Spans) =>
  spans.filter(({ parent }) => parent !== undefined && !spans.some(({ id }) => id === parent));

/** The ids of the traces, which are looked at once all processes have sent what they recorded. */
const traced = { click: "", request: "" };

test("every container's command answers its health check, without privileges and with no variable beside its own", async () => {
  expect(product.wrong()).toEqual([]);
  // It reads files of several owners, where root runs the tests.
  expect((await product.ofRoot()).filter((name) => name !== "backups")).toEqual([]);
});

test("a click in the browser is a row, with an id of the browser's", async () => {
  const visitor = await visit();
  await visitor.open("/");
  const { page } = visitor;
  const decided = page.waitForResponse((answer) => answer.url().endsWith("/session/consent"));
  await banner(page).getByRole("button", { name: consentTexts.en.accept, exact: true }).click();
  await decided;
  await page.getByRole("link", { name: consentTexts.en.about }).first().click();
  await expect.poll(() => visitor.of("click").length).toBeGreaterThan(0);
  traced.click = String(visitor.of("click")[0]?.body["eventId"]);
  await expect.poll(() => product.rowsOf(traced.click), { timeout: 20_000 }).toBe("1");
  await visitor.leave();
});

test("a copy is asked for, approved by an officer and mailed about, in one correlation", async () => {
  const demo = await product.makeAccounts();
  const [holder, officer] = await Promise.all([visit(), visit()]);
  const { email } = await signInAs(holder.page, demo, "premium");
  await holder.page.goto("/account/privacy");
  await button(holder.page, texts.en.privacy.export.submit).press("Enter");
  await holder.page.getByText(texts.en.privacy.export.open).waitFor();
  await signInAs(officer.page, demo, "officer");
  await officer.page.goto("/console/privacy");
  const { decide } = texts.en["privacy-console"];
  await officer.page.getByRole("table").getByRole("link").press("Enter");
  await button(officer.page, decide.claim).press("Enter");
  await button(officer.page, decide.approve).press("Enter");
  await officer.page.getByText(decide.nothing).waitFor();
  const mails = new MailBox(product.mailUrl);
  const subjects = async () => (await mails.to(email)).map(({ subject }) => subject);
  await expect.poll(subjects, { timeout: 30_000 }).toContain("The copy of your data is ready");
  const events = await product.privacyEvents();
  expect(events).toMatchObject([{ accounts: 2 }]);
  expect(events[0]?.types).toEqual(expect.arrayContaining(["Assigned", "AccessApproved"]));
  traced.request = events[0]?.correlation ?? "";
  await Promise.all([holder.leave(), officer.leave()]);
});

test("each ends on SIGTERM within its time, with code 0", async () => {
  expect(await product.end()).toEqual([]);
});

test("one trace leads from the click to its row, through the process that took it", () => {
  const spans = product.spansOf(traced.click);
  expect(spans.map(({ name, service }) => `${service}: ${name}`)).toEqual([
    "collector: browser click",
    "collector: append to spool",
    "collector: insert row",
  ]);
  expect(orphans(spans)).toEqual([]);
  const segment = String(spans.at(-1)?.fields["segment"]);
  const shipment = product.spansOf(segment).map(({ name }) => name);
  expect(shipment).toEqual(expect.arrayContaining(["ship segment", "clickhouse"]));
});

test("one trace leads from the request through the officer's decisions to the last mail", () => {
  const spans = product.spansOf(traced.request);
  expect(orphans(spans)).toEqual([]);
  const services = [...new Set(spans.map(({ service }) => service))];
  // Those that were asked what they hold as well.
  expect(services.toSorted()).toEqual([
    "accounts",
    "insights",
    "ledger",
    "ledger-worker",
    "studio",
  ]);
  // What the officer's calls recorded is here, and leads to their own traces.
  const decided = spans.filter(({ name }) => name === "command privacy");
  expect(decided.map(({ service, links }) => [service, links.length])).toEqual([
    ["ledger", 1],
    ["ledger", 1],
  ]);
});

test("nothing that was sent about spans is about a person", () => {
  const text = product.sent().toLowerCase();
  expect(text).toContain("post /api/privacy/requests");
  for (const personal of ["demo.example", "mozilla", "127.0.0.1:", "levi", "@"]) {
    expect(text).not.toContain(personal);
  }
});
