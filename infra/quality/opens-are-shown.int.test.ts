import { once } from "node:events";
import { get, IncomingMessage } from "node:http";

import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { until } from "@pro-talent/platform/testing/until";
import { insightCalls, OpenView } from "@pro-talent/schemas/insights/calls";
import { linkCalls, type LinkView } from "@pro-talent/schemas/links/calls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { openProduct } from "./testing/open-product.ts";
import { ProductHolder } from "./testing/product-holder.ts";

let product: Awaited<ReturnType<typeof openProduct>>;
let sql: Sql;
let owner: ProductHolder;
let link: LinkView;

beforeAll(async () => {
  product = await openProduct({ BILLING: "open", TIMERS_SWEEP_MS: "200" });
  await product.listen();
  sql = openPool(product.ownerUrl, { max: 2, applicationName: "test" });
  owner = await new ProductHolder(product, sql, Date.now).join("owner@example.com");
  await owner.buy({ plan: "premium", cycle: "monthly" });
  link = await makeLink(owner, "Northwind Health");
}, 120_000);
afterAll(async () => {
  await sql.end();
  await product.close();
});

function appOf(service: string) {
  const app = product.services.get(service)?.app;
  if (app === undefined) throw new Error(`${service} is not open`);
  return app;
}

async function makeLink(holder: ProductHolder, label: string): Promise<LinkView> {
  const target = { kind: "external", url: "https://example.com/cv" };
  const answer = await holder.post("/api/links", { label, target });
  return linkCalls["POST /api/links"].answer.parse(answer.json()).link;
}

const person = {
  accept: "text/html,application/xhtml+xml",
  "accept-encoding": "gzip, br",
  "accept-language": "en-US,en;q=0.9",
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "cross-site",
  "user-agent":
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15",
};
const preview = { accept: "*/*", "user-agent": "WhatsApp/2.23.20.0" };

const open = (code: string, headers: Record<string, string>) =>
  appOf("collector").inject({ url: `/l/${code}`, headers });

/** The owner's stream, and when each open of it arrived. */
async function listen(holder: ProductHolder) {
  const url = `${appOf("insights").listeningOrigin}/api/insights/live`;
  const request = get(url, { headers: holder.headers(), agent: false });
  const [response] = z
    .tuple([z.instanceof(IncomingMessage)])
    .parse(await once(request, "response"));
  const events: { open: OpenView; atMs: number }[] = [];
  response.setEncoding("utf8").on("data", (text: string) => {
    for (const [, data = ""] of text.matchAll(/event: open\ndata: (.+)\n\n/g)) {
      events.push({ open: OpenView.parse(JSON.parse(data)), atMs: performance.now() });
    }
  });
  return { events, close: () => response.destroy() };
}

async function publishPage(holder: ProductHolder, handle: string): Promise<void> {
  const headers = holder.headers();
  type Method = "PATCH" | "PUT" | "POST";
  const send = async (service: string, method: Method, url: string, payload: object) => {
    const answer = await appOf(service).inject({ method, url, headers, payload });
    expect(answer.statusCode).toBe(200);
  };
  await send("accounts", "PATCH", "/api/account/profile", { handle });
  const document = { version: 1, language: "en", look: {}, profile: { fullName: "Dana Levi" } };
  await send("studio", "PUT", "/api/portfolio/pages/en", { basedOn: null, document });
  const published = { state: "published", pages: [{ language: "en", version: 1 }] };
  await send("studio", "POST", "/api/portfolio/publish", published);
}

const today = () => new Date().toISOString().slice(0, 10);
const range = () => `from=${today()}&to=${today()}&zone=UTC`;
const overviewAnswer = insightCalls["GET /api/insights/links"].answer;

async function overview(holder: ProductHolder) {
  const answer = await holder.get(`/api/insights/links?${range()}`, "insights");
  return overviewAnswer.parse(answer.json());
}

it("an open is shown within two seconds, a preview is left out, and other owners see nothing", async () => {
  const stranger = await new ProductHolder(product, sql, Date.now).join("stranger@example.com");
  await stranger.buy({ plan: "premium", cycle: "monthly" });
  const [stream, foreign] = [await listen(owner), await listen(stranger)];
  const delays: number[] = [];
  for (let time = 0; time < 5; time += 1) {
    // Another address each time: another person.
    const from = performance.now();
    const { statusCode } = await open(link.code, { ...person, "accept-language": `en-${time}` });
    expect(statusCode).toBe(302);
    await until("the open is shown", () => stream.events.length === time + 1);
    delays.push((stream.events.at(-1)?.atMs ?? Infinity) - from);
  }
  // A busy machine delays some of them, and never all.
  expect(Math.min(...delays)).toBeLessThan(2_000);
  await open(link.code, preview);
  await until("the preview is counted", async () => (await overview(owner)).totals.excluded === 1);
  const { totals, links } = await overview(owner);
  expect(totals).toMatchObject({ opens: 5, people: { count: 5, upTo: false }, fetched: 0 });
  expect(links).toMatchObject([{ linkId: link.linkId, opens: 5, fresh: 5 }]);
  const [shown] = stream.events;
  expect(shown?.open).toMatchObject({ linkId: link.linkId, state: "clicked", device: "desktop" });
  expect(foreign.events).toEqual([]);
  expect((await overview(stranger)).totals).toMatchObject({ opens: 0, excluded: 0 });
  stream.close();
  foreign.close();
});

it("nothing of an account is shown or recorded while its deletion is scheduled; cancelled, all is as before", async () => {
  const address = "leaving@example.com";
  const leaving = await new ProductHolder(product, sql, Date.now).join(address);
  await leaving.buy({ plan: "premium", cycle: "monthly" });
  const { code } = await makeLink(leaving, "Vandelay");
  await publishPage(leaving, "dana-leaving");
  const page = () => appOf("collector").inject({ url: "/p/dana-leaving" });
  const opened = async () => (await overview(leaving)).totals.opens;
  expect((await open(code, person)).statusCode).toBe(302);
  await until("the open is counted", async () => (await opened()) === 1);
  await until("the page is shown", async () => (await page()).statusCode === 200);

  const asked = await leaving.post("/api/privacy/requests/delete", { email: address });
  expect(asked.statusCode).toBe(201);
  const isEnded = async () => (await open(code, person)).statusCode === 404;
  await until("the link is not available", isEnded);
  await until("the page is not available", async () => (await page()).statusCode === 404);
  const unknown = await open("no-such-link", person);
  expect((await open(code, person)).body).toBe(unknown.body);
  const cancelled = await leaving.post("/api/privacy/requests/cancel-deletion", {});
  expect(cancelled.statusCode).toBe(200);
  const shown = async () => (await open(code, { ...person, "accept-language": "de" })).statusCode;
  await until("the link leads on", async () => (await shown()) === 302);
  await until("the page is shown", async () => (await page()).statusCode === 200);
  await until("both opens are counted", async () => (await opened()) === 2);
});

it("what was looked at is no longer new", async () => {
  const looked = await owner.post("/api/insights/looked", { linkId: null }, "insights");
  expect(looked.json()).toEqual({ status: "recorded" });
  const after = await overview(owner);
  expect(after.links).toMatchObject([{ linkId: link.linkId, fresh: 0 }]);
  expect(after.lookedAt).not.toBeNull();
});

it("the table is saved with a ticket, which serves once", async () => {
  const path = `/api/insights/links/${link.linkId}/opens.csv`;
  const given = await owner.post("/api/account/tickets", { path }, "accounts");
  const { ticket } = z.object({ ticket: z.string() }).parse(given.json());
  const url = `${path}?${range()}&ticket=${ticket}`;
  const saved = await appOf("insights").inject({ url });
  expect(saved.body.split("\r\n")).toHaveLength(8);
  expect((await appOf("insights").inject({ url })).statusCode).toBe(401);
});

it("a free account sees its first open alone; a deleted link shows nothing", async () => {
  const free = await new ProductHolder(product, sql, Date.now).join("free@example.com");
  const own = await makeLink(free, "Tidewater Labs");
  await open(own.code, person);
  const first = async () =>
    insightCalls["GET /api/insights/first-open"].answer.parse(
      (await free.get("/api/insights/first-open", "insights")).json(),
    ).open;
  const shown = await until("the first open is shown", async () => (await first()) ?? undefined);
  expect(shown.linkId).toBe(own.linkId);
  const refused = await free.get(`/api/insights/links?${range()}`, "insights");
  expect(refused.json()).toMatchObject({ code: "insights_not_included" });
  const headers = free.headers();
  await appOf("ledger").inject({ method: "DELETE", url: `/api/links/${own.linkId}`, headers });
  await until("the link is gone", async () => (await first()) === null);
});
