import { randomUUID } from "node:crypto";

import { buildServer } from "@pro-talent/platform/http/build-server";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { ContactAnswer } from "@pro-talent/schemas/contact/calls";
import { contactPath } from "@pro-talent/schemas/contact/categories";
import { ContactLetter } from "@pro-talent/schemas/contact/events";
import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { Problem } from "@pro-talent/schemas/primitives/problem";
import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readSealed } from "../event-store/read-sealed.ts";
import { verifyLedger } from "../event-store/verify.ts";
import { openSubjects } from "../subjects/subjects.ts";
import {
  createTestLedger,
  type TestLedger,
  testSubjectKeys,
} from "../testing/create-test-ledger.ts";
import { contactEvents, messageOf } from "./contact-events.ts";
import { addContactRoutes } from "./routes.ts";
import { entered } from "./testing/letters.ts";

const publicOrigin = "https://talent.example";
const log = createLogger({ service: "ledger", level: "silent" });
let ledger: TestLedger;
let app: FastifyInstance;

beforeAll(async () => {
  ledger = await createTestLedger();
  app = await service();
});
afterAll(async () => {
  await app.close();
  await ledger.drop();
});

async function service(
  stores: Pick<TestLedger, "store" | "subjects"> = ledger,
  formsPerMinute = 10_000,
): Promise<FastifyInstance> {
  const server = buildServer({ log });
  await server.register((scope) =>
    addContactRoutes(scope, {
      store: stores.store,
      subjects: stores.subjects,
      clock: Date.now,
      publicOrigin,
      formsPerMinute,
    }),
  );
  return server;
}

const send = (body: unknown, headers: Record<string, string> = {}, to = app) =>
  to.inject({
    method: "POST",
    url: contactPath,
    headers: { "content-type": "application/json", ...headers },
    payload: JSON.stringify(body),
  });

const sendForm = (
  fields: Readonly<Record<string, unknown>>,
  headers: Record<string, string> = {},
  to = app,
) =>
  to.inject({
    method: "POST",
    url: contactPath,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString(),
  });

const newAddress = (): string => `writer-${randomUUID()}@example.com`;

/** The messages that were kept since a position, as events with their streams. */
async function keptSince(position: number) {
  const rows = await ledger.sql<{ stream: string; data: string }[]>`
    select stream, data from ledger.event where pos > ${position} order by pos`;
  return rows.map(({ stream, data }) => ({
    stream,
    data: contactEvents.contract.parse({ type: "ContactMessageReceived", data: JSON.parse(data) })
      .data,
  }));
}

async function head(): Promise<number> {
  const [row] = await ledger.sql<{ pos: number }[]>`select pos from ledger.head`;
  return row?.pos ?? -1;
}

async function mailsOf(stream: string): Promise<{ name: string; payload: unknown }[]> {
  const messageId = messageOf(stream);
  return [
    ...(await ledger.sql<{ name: string; payload: unknown }[]>`
      select name, payload from ledger.outbox
       where payload->>'messageId' = ${messageId} order by name`),
  ];
}

/** Sends, and tells what was kept of it. */
async function keptOf(sending: () => Promise<{ statusCode: number }>) {
  const before = await head();
  const { statusCode } = await sending();
  return { statusCode, kept: await keptSince(before) };
}

/** Tables of the whole database that hold a text, in the clear or as bytes. */
async function tablesHolding(text: string): Promise<string[]> {
  const hex = Buffer.from(text, "utf8").toString("hex");
  const tables = await ledger.owner<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`;
  const holding: string[] = [];
  for (const { name } of tables) {
    const found = await ledger.owner`select from ${ledger.owner(name)} t
      where position(${text} in t::text) > 0 or position(${hex} in t::text) > 0 limit 1`;
    if (found.length > 0) holding.push(name);
  }
  return holding;
}

describe("a message", () => {
  it("is kept, answered, and leads to two mails", async () => {
    const before = await head();
    const answer = await send(entered({ language: "he" }));
    expect(answer.statusCode).toBe(200);
    expect(ContactAnswer.strict().parse(answer.json())).toEqual({ status: "received" });
    expect(answer.headers["cache-control"]).toBe("no-store");
    const [kept, ...others] = await keptSince(before);
    expect(others).toEqual([]);
    expect(kept?.data).toMatchObject({
      category: "bug",
      language: "he",
      suspected: false,
      acknowledged: true,
    });
    const payload = { messageId: messageOf(kept?.stream ?? "") };
    expect(await mailsOf(kept?.stream ?? "")).toEqual([
      { name: "contact.acknowledge", payload },
      { name: "contact.notify-support", payload },
    ]);
  });

  it("can be read under its own key, and stands nowhere in the database in the clear", async () => {
    const letter = {
      name: "Ziporah Unmistakable",
      email: newAddress(),
      subject: "Unmistakable subject",
      message: "Unmistakable words of a message",
      sessionId: "unmistakable-session",
    };
    const { kept } = await keptOf(() => send({ ...letter, subjectCategory: "other" }));
    const stream = kept[0]?.stream ?? "";
    const sealed = await readSealed(ledger.store, stream, "ContactMessageReceived");
    const subject = await ledger.subjects.find(sealed?.keyId ?? "");
    expect(subject?.open(sealed?.bytes ?? Buffer.alloc(0), ContactLetter)).toEqual(letter);
    for (const text of Object.values(letter)) expect(await tablesHolding(text)).toEqual([]);
    expect(await tablesHolding(messageOf(stream))).toContain("ledger.event");
  });

  it.each([
    ["the page's", { language: "he" }, { "accept-language": "en" }, "he"],
    ["the cookie's", {}, { cookie: "preferred_language=he", "accept-language": "en" }, "he"],
    ["the browser's", {}, { "accept-language": "iw" }, "he"],
    ["English", {}, {}, "en"],
  ])("is in %s language", async (_whose, change, headers, language) => {
    const { kept } = await keptOf(() => send(entered(change), { ...headers }));
    expect(kept.map(({ data }) => data.language)).toEqual([language]);
  });

  it("that was written faster than people write is kept, and only support is told", async () => {
    const writingMs = contactLimits.writingMsMin - 1;
    const { kept } = await keptOf(() => send(entered({ email: newAddress(), writingMs })));
    expect(kept[0]?.data).toMatchObject({ suspected: true, acknowledged: false });
    expect((await mailsOf(kept[0]?.stream ?? "")).map(({ name }) => name)).toEqual([
      "contact.notify-support",
    ]);
  });

  it("with the field that only programs see filled in is answered like any other and leaves nothing", async () => {
    const email = newAddress();
    const senders = async () => (await ledger.sql`select from ledger.subject`).length;
    const before = await senders();
    const { statusCode, kept } = await keptOf(() =>
      send(entered({ email, website: "https://spam.example" })),
    );
    expect([statusCode, kept]).toEqual([200, []]);
    expect(await senders()).toBe(before);
    expect((await sendForm({ ...entered(), website: "x" })).headers["location"]).toBe(
      "/answer#contact-received",
    );
    expect(await senders()).toBe(before);
  });

  it("from one address is acknowledged three times a day, and kept every time", async () => {
    const email = newAddress();
    const acknowledged = [];
    for (const spelling of [email, ` ${email}`, email.toUpperCase(), email]) {
      const { kept } = await keptOf(() => send(entered({ email: spelling })));
      acknowledged.push(...kept.map(({ data }) => data.acknowledged));
    }
    expect(acknowledged).toEqual([true, true, true, false]);
  });

  it("from one address, many at the same moment: never more than three acknowledgements", async () => {
    const email = newAddress();
    const before = await head();
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(entered({ email }))));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    const kept = await keptSince(before);
    expect(kept).toHaveLength(12);
    expect(kept.filter(({ data }) => data.acknowledged).length).toBeLessThanOrEqual(3);
  });
});

describe("a message that is sent again with its key", () => {
  const twice = async (change: Readonly<Record<string, unknown>> = {}) => {
    const key = { "idempotency-key": randomUUID() };
    const body = entered({ email: newAddress() });
    const { kept } = await keptOf(() => send(body, key));
    const again = () => send({ ...body, ...change }, key);
    return { stream: kept[0]?.stream ?? "", again };
  };

  it("is answered the same, kept once, and mails nothing twice", async () => {
    const { stream, again } = await twice();
    const { statusCode, kept } = await keptOf(again);
    expect([statusCode, kept]).toEqual([200, []]);
    expect(await mailsOf(stream)).toHaveLength(2);
  });

  it("at the same moment is kept once", async () => {
    const key = { "idempotency-key": randomUUID() };
    const body = entered({ email: newAddress() });
    const before = await head();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(body, key)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    expect(await keptSince(before)).toHaveLength(1);
  });

  it("but with other words is refused, so that nothing gets lost", async () => {
    const { again } = await twice({ message: "Something else altogether" });
    const answer = await again();
    expect(answer.statusCode).toBe(422);
    expect(Problem.strict().parse(answer.json()).code).toBe("command_mismatch");
    expect(answer.body).not.toContain("altogether");
  });

  it("after it was erased is answered the same, and not kept again", async () => {
    const { stream, again } = await twice();
    await ledger.subjects.shred(messageOf(stream));
    const { statusCode, kept } = await keptOf(again);
    expect([statusCode, kept]).toEqual([200, []]);
    expect(await ledger.subjects.find(messageOf(stream))).toBeUndefined();
  });

  it("and a key that is none is refused", async () => {
    const answer = await send(entered(), { "idempotency-key": "1" });
    expect(answer.statusCode).toBe(400);
  });
});

describe("a form without scripts", () => {
  const { sessionId: _none, ...fields } = entered();

  it("is kept in the language of the browser, and led to the page that says so", async () => {
    const before = await head();
    const answer = await sendForm(
      { ...fields, subject: "", website: "", email: newAddress() },
      { origin: publicOrigin, "sec-fetch-site": "same-origin", "accept-language": "he" },
    );
    expect([answer.statusCode, answer.headers["location"]]).toEqual([
      303,
      "/answer#contact-received",
    ]);
    expect((await keptSince(before)).map(({ data }) => data.language)).toEqual(["he"]);
  });

  it.each([
    ["without an address", { email: "" }],
    ["with too short a message", { message: "short" }],
    ["under other without a subject", { subjectCategory: "other", subject: "" }],
    ["without a category", { subjectCategory: "" }],
  ])("%s is led to the page that says what is missing, and is not kept", async (_what, change) => {
    const { kept } = await keptOf(async () => {
      const answer = await sendForm({ ...fields, ...change });
      expect(answer.headers["location"]).toBe("/answer#contact-incomplete");
      return answer;
    });
    expect(kept).toEqual([]);
  });

  it.each([
    { "sec-fetch-site": "cross-site" },
    { origin: "https://evil.example" },
    { origin: "null" },
  ])("of another site (%j) is refused, and not kept", async (headers) => {
    const { statusCode, kept } = await keptOf(() => sendForm(fields, { ...headers }));
    expect([statusCode, kept]).toEqual([403, []]);
  });
});

describe("the service", () => {
  it("takes so many messages a minute from one address, and tells when to come back", async () => {
    const limited = await service(ledger, 2);
    const answers = [];
    for (let index = 0; index < 3; index += 1) {
      answers.push(await send(entered({ website: "x" }), {}, limited));
    }
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    expect(Number(answers.at(-1)?.headers["retry-after"])).toBeGreaterThan(0);
    expect((await sendForm(entered(), {}, limited)).headers["location"]).toBe(
      "/answer#contact-failed",
    );
    await limited.close();
  });

  it("without its database says so and tells nothing, and leads plain forms to a page", async () => {
    const sql = openPool("postgres://ledger_app:secret-word@127.0.0.1:1/nowhere", {
      applicationName: "test",
    });
    const cutOff = await service({ store: { sql }, subjects: openSubjects(sql, testSubjectKeys) });
    const answer = await send(entered(), {}, cutOff);
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "1"]);
    expect(Problem.strict().parse(answer.json()).code).toBe("ledger_unavailable");
    expect(answer.body).not.toMatch(/secret-word|127\.0\.0\.1|noa\.levi/);
    expect((await sendForm(entered(), {}, cutOff)).headers["location"]).toBe(
      "/answer#contact-failed",
    );
    await cutOff.close();
    await sql.end();
  });

  it("refuses bodies larger than any message", async () => {
    const answer = await send(entered({ message: "x".repeat(contactLimits.bodyBytesMax) }));
    expect(answer.statusCode).toBe(413);
  });

  it("keeps or refuses whatever programs send, and stays whole", async () => {
    const nasty = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "\r\nBcc: a@b.example",
        "\u0000",
        "\uD83D",
        "\u202E",
        "<b>",
        "x".repeat(9000),
      ),
      fc.constantFrom(null, 1, [], {}),
    );
    const field = fc.constantFrom(...Object.keys(entered()), "language", "writingMs", "website");
    await fc.assert(
      fc.asyncProperty(field, nasty, fc.boolean(), async (name, value, plain) => {
        const body = entered({ email: newAddress(), [name]: value });
        const { statusCode } = plain ? await sendForm(body) : await send(body);
        expect([200, 303, 422]).toContain(statusCode);
      }),
      { numRuns: 60 },
    );
    expect((await verifyLedger(ledger.owner).next()).done).toBe(true);
  });
});
