import {
  DashboardContent,
  QueryContent,
  type SavedWork,
  SharedWith,
  Title,
  WorkContent,
} from "@pro-talent/schemas/analysts/saved-work";
import { savedWorkCalls, type TileAnswer } from "@pro-talent/schemas/analysts/work-calls";
import type { Role } from "@pro-talent/schemas/primitives/access";
import type { BrowserContext } from "playwright-core";
import { z } from "zod";

import { exampleAccount } from "./account-answers.ts";
import { visitAccount } from "./account-visitor.ts";
import { AnalystAnswers } from "./analyst-answers.ts";
import { type Answer, DeliveryAnswers, ok, refusal } from "./analyst-delivery-answers.ts";
import { type AnsweredRequest, answerCalls } from "./answer-calls.ts";
import type { Language, Stack } from "./fixtures.ts";

type Kept = { ownerId: string; contents: WorkContent[]; saved: SavedWork };

const idOf = (kind: number, index: number): string =>
  `0198c5a0-0000-7000-800${kind}-${index.toString(16).padStart(12, "0")}`;
export const queryIdOf = (index: number): string => idOf(5, index);
export const dashboardIdOf = (index: number): string => idOf(6, index);
export const tileIdOf = (index: number): string => idOf(7, index);

/** Two analysts; the first is the owner of what is there. */
export const analystIds = [exampleAccount.accountId, idOf(8, 2)] as const;

const base = "/api/console/analyst/work";
const at = "2026-11-25T08:20:00.000Z";
const SavedAnswer = savedWorkCalls["GET /api/console/analyst/work/saved/:workId"].answer;

const text = `SELECT channel, uniqExact(visitor_id) AS visitors
FROM sessions
WHERE day BETWEEN {from:Date} AND {to:Date}
GROUP BY channel
ORDER BY visitors DESC`;
const content = QueryContent.parse({
  kind: "query",
  text,
  parameters: [
    { name: "from", kind: "date", value: "2026-11-01" },
    { name: "to", kind: "date", value: "2026-11-24" },
  ],
  chart: { kind: "bar", x: "channel", y: ["visitors"] },
});
const dashboard = DashboardContent.parse({
  kind: "dashboard",
  range: { kind: "last", days: 30 },
  tiles: [
    { tileId: tileIdOf(1), width: 2, source: { kind: "query", queryId: queryIdOf(1) } },
    {
      tileId: tileIdOf(2),
      width: 1,
      source: { kind: "question", question: "funnel", chart: "bar" },
    },
    {
      tileId: tileIdOf(3),
      title: "Newsletter, by week",
      width: 3,
      source: { kind: "question", question: "newsletter-growth", chart: "table" },
    },
  ],
});

const statistics = { rowsRead: 18_204, bytesRead: 402_100, milliseconds: 42 };
const columns = [
  { name: "channel", type: "LowCardinality(String)" },
  { name: "visitors", type: "UInt64" },
];
const rows = [
  ["search", "410"],
  ["social", "180"],
  ["direct", "90"],
  ["email", "30"],
];
/** What a tile shows of the query that is saved. */
const channelsResult = { queryId: queryIdOf(9), columns, rows, statistics };

const groups: TileAnswer = {
  kind: "question",
  question: "newsletter-growth",
  chart: "table",
  answer: {
    kind: "groups",
    groups: [
      { name: "2026-11-09", visitors: 40, amount: 40 },
      { name: "2026-11-16", visitors: 20, amount: 20 },
    ],
    others: { visitors: 10, amount: 10 },
    total: { visitors: 70, amount: 80 },
  },
};
const steps: TileAnswer = {
  kind: "question",
  question: "funnel",
  chart: "bar",
  answer: {
    kind: "steps",
    steps: [
      { name: "visit", visitors: 410 },
      { name: "pricing", visitors: 80 },
      { name: "join", visitors: null },
    ],
  },
};

const historyEntry = (index: number, more: object) => ({
  queryId: idOf(9, index),
  ranAt: new Date(Date.parse(at) - index * 3 * 3_600_000).toISOString(),
  channel: "console",
  views: ["sessions"],
  format: "json",
  outcome: "shown",
  problem: null,
  rowsRead: 18_204,
  resultBytes: 1_200,
  milliseconds: 42,
  text,
  parameters: { from: "2026-11-01", to: "2026-11-24" },
  ...more,
});

const Named = z.object({ title: Title, content: WorkContent });
const Next = z.object({ expectedVersion: z.number(), content: WorkContent });

/** Saved work of analysts as journeys without the service need it; each answer can be replaced. */
export class AnalystWorkAnswers {
  readonly kept = new Map<string, Kept>();
  readonly deliveries = new DeliveryAnswers((workId) => this.kept.get(workId)?.saved.title);
  /** What the editor of queries asks. */
  readonly console = new AnalystAnswers();
  readonly calls: string[] = [];
  readonly bodies: unknown[] = [];
  readonly instead = new Map<string, Answer | "awaited">();

  constructor({ empty = false } = {}) {
    if (empty) return;
    this.#add(queryIdOf(1), analystIds[0], "Visitors by channel", content);
    this.#add(queryIdOf(2), analystIds[0], "מבקרים לפי מדינה", content);
    this.#add(dashboardIdOf(1), analystIds[0], "Weekly reading", dashboard);
  }

  #add(workId: string, ownerId: string, title: string, first: WorkContent): SavedWork {
    const { saved } = SavedAnswer.parse({
      saved: {
        workId,
        kind: first.kind,
        title,
        isOwn: true,
        isHandedOver: false,
        sharedWith: [],
        version: 1,
        createdAt: at,
        changedAt: at,
        archivedAt: null,
        content: first,
        versions: [{ version: 1, savedAt: at }],
      },
    });
    this.kept.set(workId, { ownerId, contents: [first], saved });
    return saved;
  }

  /** A version that another tab of the owner saves. */
  saveElsewhere(workId: string, next: WorkContent): void {
    const kept = this.kept.get(workId);
    if (kept !== undefined) this.#next(kept, next);
  }

  #next(kept: Kept, next: WorkContent): void {
    const { saved } = kept;
    kept.contents.push(next);
    saved.version += 1;
    saved.content = next;
    saved.versions = [{ version: saved.version, savedAt: saved.changedAt }, ...saved.versions];
  }

  #shown({ ownerId, saved }: Kept, accountId: string): SavedWork {
    return { ...saved, isOwn: ownerId === accountId };
  }

  #visible(accountId: string): Kept[] {
    return [...this.kept.values()].filter(
      ({ ownerId, saved }) => ownerId === accountId || saved.sharedWith.includes("analyst"),
    );
  }

  #act(kept: Kept, act: string, request: AnsweredRequest): Answer | undefined {
    const { saved } = kept;
    const body: unknown = request.postData() === null ? {} : request.postDataJSON();
    if (act === "versions") {
      const next = Next.parse(body);
      if (next.expectedVersion !== saved.version) return refusal(409, "work_changed");
      this.#next(kept, next.content);
    } else if (act === "title") saved.title = z.object({ title: Title }).parse(body).title;
    else if (act === "sharing")
      saved.sharedWith = z.object({ sharedWith: SharedWith }).parse(body).sharedWith;
    else if (act === "archive") saved.archivedAt = saved.changedAt;
    else saved.archivedAt = null;
    return undefined;
  }

  #ofWork(request: AnsweredRequest, path: string, accountId: string): Answer {
    const [, workId = "", act, version] =
      /\/saved\/([^/]+)(?:\/(\w+)(?:\/(\d+))?)?$/u.exec(path) ?? [];
    const kept = this.#visible(accountId).find(({ saved }) => saved.workId === workId);
    if (kept === undefined) return refusal(404, "work_not_found");
    if (version !== undefined) return ok({ content: kept.contents[Number(version) - 1] });
    const refused = act === undefined ? undefined : this.#act(kept, act, request);
    return refused ?? ok({ saved: this.#shown(kept, accountId) });
  }

  #tile(path: string): Answer {
    const tileId = path.split("/").at(-1);
    if (tileId === tileIdOf(2)) return ok(steps);
    if (tileId === tileIdOf(3)) return ok(groups);
    const { chart } = content;
    const result = { ...channelsResult, isWithheld: true };
    return ok({ kind: "query", title: "Visitors by channel", chart, result });
  }

  #reply(request: AnsweredRequest, path: string, accountId: string): Answer {
    const call = `${request.method()} ${path}`;
    if (path.includes("/dashboards/")) return this.#tile(path);
    if (path.startsWith(`${base}/deliveries`)) return this.deliveries.answer(request, path);
    if (path === `${base}/history`)
      return new URL(request.url()).searchParams.has("after")
        ? ok({ queries: [historyEntry(30, { text: null, rowsRead: null })], next: null })
        : ok({
            queries: [
              historyEntry(1, {}),
              historyEntry(2, { outcome: "wrong", channel: "program", text: "SELEC 1" }),
              historyEntry(9, { channel: "dashboard" }),
            ],
            next: "2",
          });
    if (call === "GET /api/console/analyst/work/saved")
      return ok({
        saved: this.#visible(accountId).map((kept) => {
          const { content: _, versions: _all, ...summary } = this.#shown(kept, accountId);
          return summary;
        }),
      });
    if (call === "POST /api/console/analyst/work/saved") {
      const { title, content: first } = Named.parse(request.postDataJSON());
      const saved = this.#add(idOf(3, this.kept.size + 1), accountId, title, first);
      return ok({ saved }, 201);
    }
    return this.#ofWork(request, path, accountId);
  }

  async takeOver(context: BrowserContext, accountId: string): Promise<void> {
    await answerCalls(
      context,
      (path) => path.startsWith("/api/console/analyst/"),
      async (route) => {
        const request = route.request();
        const { pathname } = new URL(request.url());
        if (/analyst\/(?:views|queries[./].+)$/u.test(pathname)) return this.console.answer(route);
        const call = `${request.method()} ${pathname}`;
        this.calls.push(call);
        if (request.postData() !== null) this.bodies.push(request.postDataJSON());
        const instead = this.instead.get(call);
        if (instead === "awaited") return undefined;
        return route.fulfill(instead ?? this.#reply(request, pathname, accountId));
      },
    );
  }
}

type Options = {
  answers?: AnalystWorkAnswers;
  accountId?: string;
  roles?: readonly Role[];
  colorScheme?: "light" | "dark";
};

/** An analyst whose calls are answered here. @param stack the pages alone */
export async function visitAnalyst(
  stack: Pick<Stack, "visit">,
  path: string,
  language: Language,
  options: Options = {},
) {
  const { answers = new AnalystWorkAnswers(), accountId = analystIds[0] } = options;
  const { roles = ["holder", "analyst"], colorScheme = language === "en" ? "light" : "dark" } =
    options;
  const { page, visitor } = await visitAccount(stack, "/account/profile", {
    language,
    colorScheme,
    prepare: (own) => {
      own.account = { ...own.account, accountId, roles: [...roles], factor: true };
    },
  });
  await answers.takeOver(page.context(), accountId);
  await page.goto(path);
  await page.locator("main h1").waitFor();
  return { page, visitor, answers };
}
