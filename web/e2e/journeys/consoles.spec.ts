import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exampleAccount } from "../account-answers.ts";
import { faultsInAllLooks, visitAccount } from "../account-visitor.ts";
import { answerCalls } from "../answer-calls.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { texts } from "../texts.ts";

/** The pages of administrators: the calls are answered by the journey. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const day = 24 * 60 * 60_000;
const series = Array.from({ length: 30 }, (_, index) => ({
  at: new Date(Date.UTC(2026, 0, 5) + index * day).toISOString(),
  visits: (index * 7) % 23,
  views: (index * 19) % 61,
}));
const ranked = (...names: readonly string[]) =>
  names.map((name, index) => ({ name, visits: 120 - index * 17, views: 200 - index * 20 }));

const traffic = {
  totals: {
    visits: 312,
    visitors: 240,
    views: 901,
    bounceRate: 0.41,
    medianSeconds: 95,
    countedViews: 1204,
  },
  before: { visits: 280, visitors: 231, views: 800 },
  series,
  pages: ranked("/", "/pricing", "/ats-friendly-resume", "/about"),
  channels: ranked("search", "direct", "assistant"),
  campaigns: ranked("spring_launch"),
  countries: ranked("IL", "US", "DE", ""),
  devices: ranked("mobile", "desktop"),
  languages: ranked("he", "en", "x_y"),
  consent: { granted: 120, rejected: 40, withdrawn: 3 },
  goals: [
    { goal: "waitlist-joined", visits: 22, rate: 0.07 },
    { goal: "checkout-done", visits: 0, rate: null },
  ],
  asOf: "2026-02-04T10:00:00.000Z",
};
const none = {
  ...traffic,
  totals: {
    visits: 0,
    visitors: 0,
    views: 0,
    bounceRate: null,
    medianSeconds: null,
    countedViews: 0,
  },
};

/** Answers a call with what `answer` says at that time. */
const answerWith = (context: BrowserContext, path: string, answer: () => object) =>
  answerCalls(context, path, (call) => call.fulfill({ json: answer() }));

const asAdministrator = {
  ...exampleAccount,
  roles: ["holder" as const, "administrator" as const],
  factor: true,
};

type Answers = Readonly<Record<string, () => object>>;

async function openAs(path: string, calls: Answers, language: "en" | "he") {
  const colorScheme = language === "en" ? ("light" as const) : ("dark" as const);
  return await visitAccount(stack, path, {
    language,
    colorScheme,
    prepare: (answers) => {
      answers.account = asAdministrator;
    },
    alsoAnswer: async (context) => {
      for (const [call, answer] of Object.entries(calls)) await answerWith(context, call, answer);
    },
  });
}

const linkId = "0f8fad5b-d9cb-869f-a165-70867728950e";
const accountId = "0f8fad5b-d9cb-469f-a165-70867728950f";
const report = {
  accountId,
  reports: 3,
  lastReason: "phishing",
  lastAt: "2026-02-04T10:00:00.000Z",
};
/** What is listed while one of either kind is reported. */
const reported = {
  link: {
    path: `/api/console/links/${linkId}`,
    links: (takenDown: boolean) => [
      { ...report, linkId, status: takenDown ? "taken-down" : "active" },
    ],
    portfolios: () => [],
  },
  portfolio: {
    path: `/api/console/portfolios/${accountId}`,
    links: () => [],
    portfolios: (takenDown: boolean) => [{ ...report, takenDown }],
  },
};

const heading = (page: Page, name: string) => page.getByRole("heading", { name }).first().waitFor();

const process = (name: string, state: "ready" | "waiting" | "away", missing: string[] = []) => ({
  name,
  state,
  missing,
});
const status = {
  asOf: "2026-02-04T10:00:00.000Z",
  processes: [process("collector", "ready"), process("ledger", "ready")],
  queues: [{ service: "ledger-worker", waiting: 3, active: 1, delayed: 12, failed: 2 }],
  spool: { bytes: 1_200_000, oldestSeconds: 1, shipping: true },
  drops: [{ reason: "duplicate", count: 4 }],
  ledger: {
    head: 1204,
    eventsBehind: 0,
    timersLate: 0,
    dutiesOverdue: 0,
    messagesGivenUp: 0,
    oldestMessageSeconds: 0,
  },
  backups: { newestSeconds: 7200, restoredSeconds: 172_800, archivedSeconds: 5 },
};
const troubled = {
  ...status,
  processes: [process("collector", "waiting", ["spool_space"]), process("backups", "away")],
  drops: [],
  backups: { newestSeconds: null, restoredSeconds: null, archivedSeconds: null },
};

// Each in one language: the other direction and theme are looked at beside.
describe.each<Language>(["en"])("in %s", (language) => {
  test("an administrator sees how the product runs, what is missing, and who does not answer", async () => {
    const t = texts[language].status;
    let shown: object = status;
    const { visitor, page } = await openAs(
      "/console/status",
      {
        "/api/console/status": () => shown,
        "/api/console/billing/parked": () => ({ accounts: [] }),
      },
      language,
    );
    await page.getByText(t.well).waitFor();
    await heading(page, t.queues.title);
    expect(await faultsInAllLooks(page)).toEqual([]);
    shown = troubled;
    await page.reload();
    await page.getByText(t.partial).waitFor();
    await page.getByText("spool_space").waitFor();
    await page.getByRole("cell", { name: t.processes.states.away }).waitFor();
    await page.getByText(t.drops.none).waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    shown = { ...status, processes: [] };
    await page.reload();
    await page.getByText(t.nothing.title).waitFor();
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("in %s", (language) => {
  const { traffic: t, "reported-links": links } = texts[language];

  test("an administrator reads the traffic, of one channel too, and finds none in an empty period", async () => {
    let answer: object = traffic;
    const asked: URL[] = [];
    const { page, visitor } = await openAs(
      "/console/traffic",
      { "/api/console/traffic": () => answer },
      language,
    );
    page.on("request", (request) => {
      if (request.url().includes("/api/console/traffic")) asked.push(new URL(request.url()));
    });
    await heading(page, t.time.title);
    expect(await faultsInAllLooks(page)).toEqual([]);
    const only = t.filter.only.replace("{{channel}}", t.channelNames.search);
    await page.getByRole("button", { name: only, exact: true }).press("Enter");
    await page.waitForURL("**?channel=search");
    await page.getByRole("radio", { name: t.period["7d"] }).click();
    await page.waitForURL("**?channel=search&period=7d");
    answer = none;
    await page.reload();
    await page.getByText(t.filter.emptyTitle).last().waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    expect(asked.at(-1)?.searchParams.get("unit")).toBe("day");
    expect(asked.at(-1)?.searchParams.get("channel")).toBe("search");
    await page.goto("/console/traffic");
    await page.getByText(t.empty.title).waitFor();
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test.each(["link", "portfolio"] as const)(
    "an administrator takes a reported %s down, and reinstates it",
    async (kind) => {
      let takenDown = false;
      const { path, links: listed, portfolios } = reported[kind];
      const { page, visitor } = await openAs(
        "/console/links",
        {
          "/api/console/links/reported": () => ({ links: listed(takenDown) }),
          "/api/console/portfolios/reported": () => ({ portfolios: portfolios(takenDown) }),
        },
        language,
      );
      const bodies: unknown[] = [];
      const acts = (called: string): boolean => called.startsWith(`${path}/`);
      await answerCalls(page.context(), acts, async (call) => {
        bodies.push(call.request().postDataJSON());
        takenDown = call.request().url().endsWith("take-down");
        await call.fulfill({ json: { status: "done" } });
      });
      const button = (name: string) => page.getByRole("button", { name });
      await button(links.takeDown).press("Enter");
      expect(await faultsInAllLooks(page)).toEqual([]);
      await page.getByRole("dialog").getByRole("combobox").selectOption("malware");
      await page.getByRole("dialog").getByRole("button", { name: links.takeDown }).press("Enter");
      await page.getByText(links.done.takeDown).waitFor();
      expect(bodies).toEqual([{ reason: "malware" }]);
      await button(links.reinstate).press("Enter");
      await page.getByRole("dialog").getByRole("button", { name: links.reinstate }).press("Enter");
      await page.getByText(links.done.reinstate).waitFor();
      expect(await faultsInAllLooks(page)).toEqual([]);
      expect(visitor.noise).toEqual([]);
      await visitor.leave();
    },
  );
});

test("an account without the role finds neither page", async () => {
  const { page, visitor } = await visitAccount(stack, "/console/traffic", { language: "en" });
  const refused = page.getByRole("heading", { level: 1, name: texts.en.account.notAllowed.title });
  for (const path of ["/console/traffic", "/console/links"]) {
    await page.goto(path);
    await refused.waitFor();
    expect(await page.locator(".traffic, .reported-links").count()).toBe(0);
  }
  await visitor.leave();
});
