import type { OpenRow } from "@pro-talent/schemas/links/opens";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { navigationHeaders } from "./ingest/enrich/testing/opens-corpus.ts";
import type { Links, ResolvedLink } from "./links/resolve-links.ts";
import { browserHeaders } from "./testing/collector-under-test.ts";
import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";

const cloudAddress = "192.0.2.7";
const linkId = "00000000-0000-4000-8000-000000000001";
const accountId = "00000000-0000-4000-8000-000000000002";
const base = {
  linkId,
  accountId,
  locked: false,
  target: "external",
  file: null,
  expiresAt: null,
} as const;
const active: ResolvedLink = { status: "active", ...base, url: "https://example.com/cv" };
const file = { fileId: linkId, name: "קורות חיים.pdf", kind: "pdf", bytes: 4 } as const;

const known: Readonly<Record<string, ResolvedLink>> = {
  open: active,
  locked: { ...active, locked: true },
  file: { ...active, url: null, target: "file", file },
  revoked: { status: "revoked" },
};
const links: Links = {
  resolve: async (code) => {
    if (code === "away") throw new Error("The ledger does not answer");
    return known[code] ?? { status: "unknown" };
  },
  unlock: async (_linkId, password) => password === "let me in",
  file: async () => Buffer.from("%PDF"),
  report: async () => undefined,
};

let stack: CollectorsAndLedger;
beforeAll(async () => {
  stack = await startCollectorsAndLedger({ links, cloudAddress });
});
afterAll(() => stack.stop());

const person = {
  ...navigationHeaders(browserHeaders["user-agent"]),
  referer: "https://www.linkedin.com/feed/",
};
type Sent = {
  method?: "GET" | "HEAD" | "POST";
  headers?: Record<string, string>;
  form?: string;
  address?: string;
};

let lastAddress = 0;
/** A request, each from an address of its own unless one is stated. */
async function request(
  path: string,
  { method = "GET", headers = {}, form, address = `198.51.100.${(lastAddress += 1)}` }: Sent = {},
) {
  const before = (await stack.collector.spooled()).opens.length;
  const answer = await stack.collector.server.inject({
    method,
    url: path,
    headers: {
      ...person,
      "x-forwarded-for": address,
      ...headers,
      ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
    },
    ...(form !== undefined && { payload: form }),
  });
  const { opens } = await stack.collector.spooled();
  return { answer, opens: opens.slice(before) };
}
const exclusionOf = (opens: readonly OpenRow[]) => opens.map(({ exclusion }) => exclusion);

describe("a browser that is no reader's", () => {
  it("is the owner's, where they are signed in; another account's counts", async () => {
    const own = await request("/l/open", { headers: { cookie: `owner-of=${accountId}` } });
    expect(own.opens).toMatchObject([{ exclusion: "owner", reasons: ["signed_in"] }]);
    expect(own.answer.headers["location"]).toBe(active.url);
    const other = await request("/l/open", { headers: { cookie: `owner-of=${linkId}` } });
    expect(exclusionOf(other.opens)).toEqual([""]);
  });

  it("is a machine's, from an address of a cloud, whatever it calls itself", async () => {
    const { opens } = await request("/l/open", { address: cloudAddress });
    expect(opens).toMatchObject([{ exclusion: "network", reasons: ["cloud_address"] }]);
    expect(opens[0]?.visitor_id).toBe("00000000-0000-0000-0000-000000000000");
  });
});

describe("a person who follows a link", () => {
  it("is led on at once, and the open is recorded with place, device and where it came from", async () => {
    const { answer, opens } = await request("/l/open");
    expect([answer.statusCode, answer.headers["location"]]).toEqual([302, active.url]);
    expect(answer.headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
    expect(opens).toMatchObject([
      {
        link_id: linkId,
        account_id: accountId,
        exclusion: "",
        country: "IL",
        device_class: "desktop",
        browser: "Chrome",
        referrer_domain: "linkedin.com",
        channel: "social",
      },
    ]);
  });

  it("who asked not to be tracked has opened it: no visitor, no place", async () => {
    for (const headers of [{ dnt: "1" }, { "sec-gpc": "1" }]) {
      const { opens } = await request("/l/open", { headers });
      expect(opens).toMatchObject([
        {
          exclusion: "",
          visitor_id: "00000000-0000-0000-0000-000000000000",
          country: "",
          city: "",
        },
      ]);
    }
  });

  it("and again within half an hour is recorded as a repetition by the same visitor", async () => {
    const address = "203.0.113.9";
    const [first] = (await request("/l/open", { address })).opens;
    await expect
      .poll(async () => exclusionOf((await request("/l/open", { address })).opens))
      .toEqual(["repeated"]);
    const [again] = (await request("/l/open", { address })).opens;
    expect(again?.visitor_id).toBe(first?.visitor_id);
  });

  it("is led to the page of a file, on the origin of such pages, when the open is recorded", async () => {
    const { answer, opens } = await request("/l/file");
    expect(answer.statusCode).toBe(302);
    expect(answer.headers["location"]).toMatch(/^https:\/\/pro-talent\.example\/v\/[\w-]{40,}$/u);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(exclusionOf(opens)).toEqual([""]);
  });
});

describe("a locked link", () => {
  it("asks for its password, in the language of the browser, and records nothing", async () => {
    const { answer, opens } = await request("/l/locked");
    expect([answer.statusCode, opens]).toEqual([200, []]);
    expect(answer.body).toContain('dir="rtl"');
    const english = await request("/l/locked", { headers: { "accept-language": "en" } });
    expect(english.answer.body).toContain("This link asks for a password");
  });

  it("opens with it, in the body of a form alone", async () => {
    const wrong = await request("/l/locked", { method: "POST", form: "password=guess" });
    expect([wrong.answer.statusCode, wrong.opens]).toEqual([403, []]);
    const query = await request("/l/locked?password=let+me+in");
    expect([query.answer.statusCode, query.opens]).toEqual([200, []]);
    const right = await request("/l/locked", { method: "POST", form: "password=let+me+in" });
    expect([right.answer.statusCode, right.answer.headers["location"]]).toEqual([303, active.url]);
    expect(exclusionOf(right.opens)).toEqual([""]);
  });

  it("asks no more after fifty wrong ones, from wherever they come", async () => {
    let answer;
    for (let tries = 0; tries < 51; tries += 1)
      ({ answer } = await request("/l/locked", { method: "POST", form: `password=${tries}` }));
    expect(answer?.statusCode).toBe(429);
  });
});

describe("a link that opens nothing", () => {
  it("answers alike, whatever the reason", async () => {
    const answers = await Promise.all(
      ["revoked", "never-made", "%F0%9F%98%80", "a".repeat(300)].map((code) =>
        request(`/l/${code}`),
      ),
    );
    expect(new Set(answers.map(({ answer }) => `${answer.statusCode} ${answer.body}`)).size).toBe(
      1,
    );
    expect(answers[0]?.answer.statusCode).toBe(404);
    expect(answers.flatMap(({ opens }) => opens)).toEqual([]);
  });

  it("is not said to be one while the ledger is away", async () => {
    const { answer } = await request("/l/away");
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "1"]);
  });
});

describe("a request that is no person's", () => {
  it.each<[string, Sent]>([
    ["head", { method: "HEAD" }],
    ["prefetch", { headers: { "sec-purpose": "prefetch" } }],
    ["preview", { headers: { "user-agent": "WhatsApp/2.23.20.0" } }],
    [
      "preview",
      { headers: { "user-agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" } },
    ],
    [
      "preview",
      {
        headers: {
          "user-agent": "Mozilla/5.0 (compatible; LinkedInBot/1.0; +https://www.linkedin.com)",
        },
      },
    ],
    [
      "assistant",
      {
        headers: {
          "user-agent": "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)",
        },
      },
    ],
    [
      "monitor",
      {
        headers: {
          "user-agent": "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
        },
      },
    ],
    ["mail-scanner", { headers: { "user-agent": "BarracudaCentral/1.0 (compatible; scanner)" } }],
    [
      "crawler",
      {
        headers: {
          "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        },
      },
    ],
    ["automation", { headers: { "user-agent": "curl/8.5.0" } }],
  ])("is led on as well, and excluded: %s", async (exclusion, sent) => {
    const { answer, opens } = await request("/l/open", sent);
    expect(answer.statusCode).toBe(302);
    expect(opens).toMatchObject([
      { exclusion, visitor_id: "00000000-0000-0000-0000-000000000000" },
    ]);
    expect(opens[0]?.reasons.length).toBeGreaterThan(0);
  });
});

it("a spoofed header of an address makes no visitor", async () => {
  const ids = new Set<string>();
  for (const forged of ["1.1.1.1", "2.2.2.2", "3.3.3.3"]) {
    const headers = { "true-client-ip": forged, "x-real-ip": forged, "cf-connecting-ip": forged };
    const { opens } = await request("/l/open", { address: `${forged}, 203.0.113.77`, headers });
    for (const { visitor_id } of opens) ids.add(visitor_id);
  }
  expect(ids.size).toBe(1);
});

it("no address is in the spool", async () => {
  await request("/l/open", { address: "203.0.113.200" });
  expect(await stack.collector.spoolText()).not.toContain("203.0.113.");
});
