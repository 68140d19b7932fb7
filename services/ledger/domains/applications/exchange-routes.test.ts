import { buildServer } from "@pro-talent/platform/http/build-server";
import { type Receiver, startReceiver } from "@pro-talent/platform/http/testing/start-receiver";
import { PostgresUnavailable } from "@pro-talent/platform/postgres/unavailable";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import {
  type Application,
  ApplicationDetails,
  type Stage,
} from "@pro-talent/schemas/applications/application";
import { applicationLimits } from "@pro-talent/schemas/applications/limits";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { Problem } from "@pro-talent/schemas/primitives/problem";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { addExchangeRoutes } from "./exchange-routes.ts";

const stageId = "0190d7a4-3c1e-7b6a-9d2f-1a2b3c4d5e6f";
const stages: Stage[] = [{ stageId, kind: "applied", name: "Waiting" }];
const at = instantFromMs(Date.parse("2026-11-26T10:00:00Z"));
const application: Application = {
  applicationId: stageId,
  details: ApplicationDetails.parse({ company: "=Acme", deadline: "2026-12-31" }),
  sent: { linkIds: [], cv: null },
  stageId,
  rank: "a",
  stageSince: at,
  createdAt: at,
  changedAt: at,
  archivedAt: null,
  remindAt: null,
  notes: 0,
  files: 0,
};

let receiver: Receiver;
let app: FastifyInstance;
/** Of the account "away" the database is not reached; that of "free" has no tracker. */
const ofAccount = async <Value>(accountId: string, value: Value): Promise<Value> => {
  if (accountId === "away") throw new PostgresUnavailable();
  return value;
};

beforeAll(async () => {
  receiver = await startReceiver("jobs.example.com");
});
beforeEach(async () => {
  app = buildServer({
    publicOrigin: "https://talent.example",
    log: createLogger({ service: "test", level: "silent" }),
    sessions: {
      ofToken: async (accountId) => ({
        accountId,
        sessionId: accountId,
        roles: ["holder"],
        factor: false,
        authenticatedMs: 0,
      }),
      ofTicket: async () => undefined,
      ofAccessToken: async () => undefined,
    },
  });
  await addExchangeRoutes(app, {
    isIncluded: (accountId) => ofAccount(accountId, accountId !== "free"),
    stagesOf: (accountId) => ofAccount(accountId, stages),
    heldBy: (accountId) =>
      ofAccount(accountId, { applications: [application], stages, reminders: [] }),
    outside: receiver.outside,
    publicOrigin: "https://talent.example",
    clock: () => Date.parse(at),
  });
});
afterAll(() => receiver.close());

type Asked = { readonly account?: string | undefined; readonly headers?: Record<string, string> };
const ask = (method: "GET" | "POST", url: string, payload?: object, asked: Asked = {}) => {
  const { account = "dana", headers = {} } = asked;
  const authorization = account === "" ? {} : { authorization: `Bearer ${account}` };
  return app.inject({
    method,
    url,
    headers: { ...headers, ...authorization },
    ...(payload && { payload }),
  });
};
const importFile = (content: string | Buffer, account?: string) =>
  ask(
    "POST",
    "/api/applications/import",
    { content: Buffer.from(content).toString("base64") },
    { account },
  );
const readPage = (url: string, account?: string) =>
  ask("POST", "/api/applications/posting", { url }, { account });
const exported = (format: string, asked?: Asked) =>
  ask("GET", `/api/applications/export/${format}`, undefined, asked);

const codeOf = (answer: { readonly json: () => unknown }): string =>
  Problem.parse(answer.json()).code;

describe("an applicant", () => {
  it("pastes the address of a posting and reads what it is about", async () => {
    receiver.answers((_request, response) =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<title>Developer at Acme</title>"),
    );
    const answer = await readPage("https://jobs.example.com/1");
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { company: "Acme", role: "Developer", place: "" },
    ]);
  });

  it("gets the same answer for every address that shows none", async () => {
    receiver.answers(404);
    const answers = [
      await readPage("https://jobs.example.com/1"),
      await readPage("http://169.254.169.254/latest"),
      await readPage("no address"),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ code: "posting_unreadable" });
    }
  });

  it("imports a table or a calendar for review", async () => {
    const table = await importFile("Company,Stage\nAcme,waiting\n");
    expect(table.json()).toMatchObject({
      source: "csv",
      applications: [{ details: { company: "Acme" }, stageId }],
      findings: [],
    });
    const calendar = await importFile(
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Developer at Acme\nDTSTART:20261231\nEND:VEVENT",
    );
    expect(calendar.json()).toMatchObject({
      source: "ics",
      applications: [{ details: { company: "Acme", role: "Developer", deadline: "2026-12-31" } }],
    });
  });

  it.each([
    ["an empty file", ""],
    ["a workbook", Buffer.from("504b0304140000000800aa", "hex")],
    ["a PDF", "%PDF-1.7\nCompany,Role\0"],
    ["a text", "Hello\nWorld"],
  ])("cannot import %s", async (_what, content) => {
    const answer = await importFile(content);
    expect([answer.statusCode, codeOf(answer)]).toEqual([422, "import_unreadable"]);
  });

  it("cannot import more than 5 MiB", async () => {
    const answer = await importFile(
      Buffer.alloc(applicationLimits.importBytesMax + 128 * 1024, "a"),
    );
    expect([answer.statusCode, codeOf(answer)]).toEqual([413, "body_too_large"]);
  });

  it("exports a table in their language, and a calendar, as files to save", async () => {
    const table = await exported("csv", { headers: { "accept-language": "he" } });
    expect(table.headers["content-disposition"]).toBe(
      "attachment; filename*=UTF-8''applications-2026-11-26.csv",
    );
    expect(table.body).toMatch(/^\uFEFFחברה,.*\r\n'=Acme,,Waiting,/u);
    const calendar = await exported("ics");
    expect(calendar.headers).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": "attachment; filename*=UTF-8''applications-2026-11-26.ics",
    });
    expect(calendar.body).toContain("SUMMARY:Deadline: =Acme");
    expect((await exported("xlsx")).statusCode).toBe(404);
  });

  it("without the tracker in the plan exports, and neither imports nor reads postings", async () => {
    for (const answer of [await importFile("Company\nAcme\n", "free"), await readPage("a", "free")])
      expect([answer.statusCode, codeOf(answer)]).toEqual([403, "tracker_not_included"]);
    expect((await exported("csv", { account: "free" })).statusCode).toBe(200);
  });
});

describe("the calls", () => {
  it("need a sign-in", async () => {
    for (const answer of [
      await importFile("Company\nAcme\n", ""),
      await readPage("a", ""),
      await exported("csv", { account: "" }),
    ])
      expect(answer.statusCode).toBe(401);
  });

  it("say when to ask again while the database is away", async () => {
    for (const answer of [
      await importFile("a", "away"),
      await readPage("a", "away"),
      await exported("ics", { account: "away" }),
    ])
      expect([answer.statusCode, codeOf(answer)]).toEqual([503, "ledger_unavailable"]);
  });

  it("are limited by account", async () => {
    const statuses = async (times: number, call: () => ReturnType<typeof ask>) => {
      const answers: number[] = [];
      for (let count = 0; count < times; count += 1) answers.push((await call()).statusCode);
      return answers.filter((status) => status === 429).length;
    };
    expect(await statuses(12, () => readPage("no address"))).toBe(2);
    expect(await statuses(10, () => readPage("no address", "noa"))).toBe(0);
    expect(await statuses(22, () => exported("ics"))).toBe(2);
  });
});
