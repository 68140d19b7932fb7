import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { until } from "@pro-talent/platform/testing/until";
import { linkCalls } from "@pro-talent/schemas/links/calls";
import { ownRequestCalls } from "@pro-talent/schemas/privacy/calls";
import { privacyOfficerCalls } from "@pro-talent/schemas/privacy/officer-calls";
import { strFromU8, unzipSync } from "fflate";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";

import { openProduct } from "./testing/open-product.ts";
import { ProductHolder } from "./testing/product-holder.ts";

let product: Awaited<ReturnType<typeof openProduct>>;
let sql: Sql;
beforeAll(async () => {
  product = await openProduct({ BILLING: "open", TIMERS_SWEEP_MS: "200" });
  await product.listen();
  sql = openPool(product.ownerUrl, { max: 2, applicationName: "test" });
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

async function officer(): Promise<ProductHolder> {
  const one = await new ProductHolder(product, sql, Date.now).join("officer@example.com");
  await sql`
    update accounts.account set roles = '{holder,officer}' where account_id = ${one.accountId}`;
  await one.signIn();
  await sql`
    update accounts.sign_in_session set factor = true where account_id = ${one.accountId}`;
  return one;
}

const asPerson = {
  accept: "text/html",
  "accept-language": "en",
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "user-agent":
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15",
};

/** An owner with a plan, a photo, a public page, a link, a deleted link, and opens of both. */
async function owner(): Promise<ProductHolder> {
  const dana = await new ProductHolder(product, sql, Date.now).join("dana@example.com");
  await dana.buy({ plan: "premium", cycle: "monthly" });
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } });
  const photo = (await picture.png().toBuffer()).toString("base64");
  const inAccounts = async (method: "PUT", url: string, payload: object) => {
    const answer = await appOf("accounts").inject({
      method,
      url,
      headers: dana.headers(),
      payload,
    });
    expect(answer.statusCode).toBe(200);
  };
  await inAccounts("PUT", "/api/account/photo", { picture: photo });
  const profile = { fullName: "Dana Levi", headline: "Engineer" };
  const document = { version: 1, language: "en", look: {}, profile };
  const saved = await appOf("studio").inject({
    method: "PUT",
    url: "/api/portfolio/pages/en",
    headers: dana.headers(),
    payload: { basedOn: null, document },
  });
  expect(saved.statusCode).toBe(200);
  for (const label of ["Northwind Health", "Vandelay"]) {
    const target = { kind: "external", url: "https://example.com/cv" };
    const made = await dana.post("/api/links", { label, target });
    const { link } = linkCalls["POST /api/links"].answer.parse(made.json());
    for (const language of ["en", "de"]) {
      const headers = { ...asPerson, "accept-language": language };
      await appOf("collector").inject({ url: `/l/${link.code}`, headers });
    }
    if (label === "Vandelay")
      await appOf("ledger").inject({
        method: "DELETE",
        url: `/api/links/${link.linkId}`,
        headers: dana.headers(),
      });
  }
  return dana;
}

it("a copy holds what every service holds: as many items as the officer's preview and the page count", async () => {
  const [dana, noa] = [await owner(), await officer()];
  const heldCall = "GET /api/privacy/held" as const;
  const held = async () =>
    ownRequestCalls[heldCall].answer.parse((await dana.get("/api/privacy/held")).json());
  type Held = Awaited<ReturnType<typeof held>>;
  const recordsIn = ({ sections }: Held, wanted: Held["sections"][number]["section"]) =>
    sections.find(({ section }) => section === wanted)?.records ?? [];
  const opensIn = (shown: Held) => recordsIn(shown, "opens");
  // The words of a deleted link are destroyed by the worker, which also numbers the invoice.
  await until("the opens are counted, and the payment has its invoice", async () => {
    const now = await held();
    const opens = opensIn(now);
    const isCounted = opens.length === 2 && JSON.stringify(opens).includes("deleted-link");
    return isCounted && recordsIn(now, "invoices").length > 0;
  });
  const shown = await held();
  expect(shown.missing).toEqual([]);
  expect(opensIn(shown)).toContainEqual([
    { field: "label", text: "Northwind Health" },
    { field: "opens", count: 2 },
  ]);
  expect(opensIn(shown)).toContainEqual([
    { field: "label", word: "deleted-link" },
    { field: "opens", count: 2 },
  ]);

  const asked = await dana.post("/api/privacy/requests/access", {});
  const { requestId } = asked.json<{ request: { requestId: string } }>().request;
  const base = `/api/console/privacy/requests/${requestId}`;
  const read = async () =>
    privacyOfficerCalls["GET /api/console/privacy/requests/:requestId"].answer.parse(
      (await noa.get(base)).json(),
    ).request;
  await noa.post(`${base}/claim`, { version: (await read()).version });
  const preview = privacyOfficerCalls[
    "GET /api/console/privacy/requests/:requestId/preview"
  ].answer.parse((await noa.get(`${base}/preview`)).json());
  const approved = await noa.post(`${base}/approve`, { version: (await read()).version });
  expect(approved.statusCode).toBe(200);
  await until("the package is ready", async () => (await read()).outcome === "fulfilled");

  const { steps } = await read();
  const found = new Map(steps.map((step) => [step.step, step.found]));
  for (const { store, items } of preview.stores)
    expect([store, found.get(store)]).toEqual([store, items]);
  const answer = await dana.get(`/api/privacy/requests/${requestId}/package`);
  const parts = unzipSync(answer.rawPayload);
  const names = Object.keys(parts);
  const text = (path: string): string => strFromU8(parts[path] ?? new Uint8Array());
  const lines = text("opens/opens.jsonl").trim().split("\n");
  expect(lines).toHaveLength(4);
  expect(text("opens/opens.csv").trim().split("\r\n")).toHaveLength(5);
  expect(found.get("opens")).toBe(4);
  expect(preview.stores.map(({ store }) => store)).toEqual(
    expect.arrayContaining(["cvs", "sign-in", "subscription", "invoices", "links", "opens"]),
  );
  expect(names.some((name) => name.endsWith("photo.webp"))).toBe(true);
  expect(
    names.filter((name) => /\.(?:pdf|html)$/u.test(name) && name.startsWith("files/")),
  ).toHaveLength(2);
  expect(text("index.html")).toContain("Engineer");
  expect(found.get("files")).toBe(4);
});
