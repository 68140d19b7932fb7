import { randomUUID } from "node:crypto";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { ContactAnswer } from "@pro-talent/schemas/contact/calls";
import { ContactDetails } from "@pro-talent/schemas/contact/events";
import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { Problem } from "@pro-talent/schemas/primitives/problem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readSealed } from "../../kernel/streams.ts";
import { buildTestApp } from "../../testing/build-test-app.ts";
import { verifyLedger } from "../../verifier/verify.ts";
import { contactEvents } from "./contact-messages.ts";
import { entered, newAddress } from "./testing/contact-samples.ts";
import { type ContactService, openContactService } from "./testing/contact-service.ts";

let service: ContactService;
beforeAll(async () => {
  service = await openContactService();
});
afterAll(() => service.close());

/** Tables of the whole database that hold a text, in the clear or as bytes. */
async function tablesContaining(text: string): Promise<string[]> {
  const { owner } = service.ledger;
  const hex = Buffer.from(text, "utf8").toString("hex");
  const tables = await owner<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`;
  const holding: string[] = [];
  for (const { name } of tables) {
    const found = await owner`select from ${owner(name)} t
      where position(${text} in t::text) > 0 or position(${hex} in t::text) > 0 limit 1`;
    if (found.length > 0) holding.push(name);
  }
  return holding;
}

describe("a message", () => {
  it("is recorded, answered, and leads to two mails", async () => {
    const { recorded } = await service.recordedBy(async () => {
      const answer = await service.send(entered({ language: "he" }));
      expect(answer.statusCode).toBe(200);
      expect(ContactAnswer.strict().parse(answer.json())).toEqual({ status: "received" });
      expect(answer.headers["cache-control"]).toBe("no-store");
      return answer;
    });
    const payload = { messageId: recorded[0]?.messageId };
    expect(recorded).toMatchObject([
      {
        fact: { category: "bug", language: "he", suspected: false, acknowledged: true },
        outbox: [
          { name: "contact.acknowledge", payload },
          { name: "contact.notify-support", payload },
        ],
      },
    ]);
  });

  it("can be read under its own key, and is nowhere in the database in the clear", async () => {
    const details = {
      name: "Ziporah Unmistakable",
      email: newAddress(),
      subject: "Unmistakable subject",
      message: "Unmistakable words of a message",
      sessionId: "unmistakable-session",
    };
    const { recorded } = await service.recordedBy(() =>
      service.send({ ...details, subjectCategory: "other" }),
    );
    const messageId = recorded[0]?.messageId ?? "";
    const { sql, subjects } = service.ledger;
    const stream = contactEvents.streamOf(messageId);
    const sealed = await readSealed(sql, stream, "ContactMessageReceived");
    const subject = await subjects.find(sealed?.keyId ?? "");
    expect(subject?.open(sealed?.bytes ?? Buffer.alloc(0), ContactDetails)).toEqual(details);
    for (const text of Object.values(details)) expect(await tablesContaining(text)).toEqual([]);
    expect(await tablesContaining(messageId)).toContain("ledger.event");
  });

  it.each([
    ["the page's", { language: "he" }, { "accept-language": "en" }, "he"],
    ["the cookie's", {}, { cookie: "preferred_language=he", "accept-language": "en" }, "he"],
    ["the browser's", {}, { "accept-language": "iw" }, "he"],
    ["English", {}, {}, "en"],
  ])("is in %s language", async (_whose, change, headers, language) => {
    const { recorded } = await service.recordedBy(() =>
      service.send(entered(change), { ...headers }),
    );
    expect(recorded).toMatchObject([{ fact: { language } }]);
  });

  it("that was sent faster than people type is recorded, and only support is notified", async () => {
    const writingMs = contactLimits.writingMsMin - 1;
    const { recorded } = await service.recordedBy(() =>
      service.send(entered({ email: newAddress(), writingMs })),
    );
    expect(recorded).toMatchObject([
      {
        fact: { suspected: true, acknowledged: false },
        outbox: [{ name: "contact.notify-support" }],
      },
    ]);
  });

  it("with a filled honeypot is answered like any other and leaves nothing", async () => {
    const senders = async () => (await service.ledger.sql`select from ledger.subject`).length;
    const before = await senders();
    const website = "https://spam.example";
    const { statusCode, recorded } = await service.recordedBy(async () => {
      const answer = await service.sendForm({ ...entered(), website });
      expect(answer.headers["location"]).toBe("/answer#contact-received");
      return service.send(entered({ email: newAddress(), website }));
    });
    expect([statusCode, recorded]).toEqual([200, []]);
    expect(await senders()).toBe(before);
  });

  it("from one address is acknowledged three times a day, and recorded every time", async () => {
    const email = newAddress();
    const { recorded } = await service.recordedBy(async () => {
      for (const spelling of [email, ` ${email}`, email.toUpperCase()]) {
        await service.send(entered({ email: spelling }));
      }
      return service.send(entered({ email }));
    });
    expect(recorded.map(({ fact }) => fact.acknowledged)).toEqual([true, true, true, false]);
  });

  it("from one address, many at the same moment: never more than three acknowledgements", async () => {
    const email = newAddress();
    const { recorded } = await service.recordedBy(async () => {
      const sending = Array.from({ length: 12 }, () => service.send(entered({ email })));
      const answers = await Promise.all(sending);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
      return { statusCode: 200 };
    });
    expect(recorded).toHaveLength(12);
    const acknowledged = recorded.filter(({ fact }) => fact.acknowledged);
    expect(acknowledged.length).toBeLessThanOrEqual(3);
  });
});

describe("a message that is sent again with its key", () => {
  const twice = async (change: Readonly<Record<string, unknown>> = {}) => {
    const key = { "idempotency-key": randomUUID() };
    const body = entered({ email: newAddress() });
    const { recorded } = await service.recordedBy(() => service.send(body, key));
    expect(recorded).toHaveLength(1);
    const again = () => service.send({ ...body, ...change }, key);
    return { messageId: recorded[0]?.messageId ?? "", again };
  };

  it("is answered the same, recorded once, and mails nothing twice", async () => {
    const { messageId, again } = await twice();
    const { statusCode, recorded } = await service.recordedBy(again);
    expect([statusCode, recorded]).toEqual([200, []]);
    const outbox = await service.ledger.sql`
      select from ledger.outbox where payload->>'messageId' = ${messageId}`;
    expect(outbox).toHaveLength(2);
  });

  it("at the same moment is recorded once", async () => {
    const key = { "idempotency-key": randomUUID() };
    const body = entered({ email: newAddress() });
    const { recorded } = await service.recordedBy(async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => service.send(body, key)));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
      return { statusCode: 200 };
    });
    expect(recorded).toHaveLength(1);
  });

  it("but with another text is refused, so that nothing gets lost", async () => {
    const { again } = await twice({ message: "Something else altogether" });
    const answer = await again();
    expect(answer.statusCode).toBe(422);
    expect(Problem.strict().parse(answer.json()).code).toBe("command_mismatch");
    expect(answer.body).not.toContain("altogether");
  });

  it("after its details were erased is answered the same, and not recorded again", async () => {
    const { messageId, again } = await twice();
    await service.ledger.destroyKey(messageId);
    const { statusCode, recorded } = await service.recordedBy(again);
    expect([statusCode, recorded]).toEqual([200, []]);
    expect(await service.ledger.subjects.find(messageId)).toBeUndefined();
  });

  it("is refused when the key is no key", async () => {
    const answer = await service.send(entered(), { "idempotency-key": "1" });
    expect(answer.statusCode).toBe(400);
  });
});

describe("a form without scripts", () => {
  const { sessionId: _none, ...fields } = entered();

  it("is recorded in the language of the browser, and leads to the page that says so", async () => {
    const sender = { ...fields, subject: "", website: "", email: newAddress() };
    const { recorded } = await service.recordedBy(async () => {
      const { publicOrigin: origin } = service.ledger;
      const headers = { origin, "sec-fetch-site": "same-origin", "accept-language": "he" };
      const answer = await service.sendForm(sender, headers);
      const to = "/answer#contact-received";
      expect([answer.statusCode, answer.headers["location"]]).toEqual([303, to]);
      return answer;
    });
    expect(recorded).toMatchObject([{ fact: { language: "he" } }]);
  });

  it.each([
    ["without an address", { email: "" }],
    ["with too short a message", { message: "short" }],
    ["under other without a subject", { subjectCategory: "other", subject: "" }],
    ["without a category", { subjectCategory: "" }],
  ])(
    "%s leads to the page that says what is missing, and is not recorded",
    async (_what, change) => {
      const { recorded } = await service.recordedBy(async () => {
        const answer = await service.sendForm({ ...fields, ...change });
        expect(answer.headers["location"]).toBe("/answer#contact-incomplete");
        return answer;
      });
      expect(recorded).toEqual([]);
    },
  );

  it.each([
    { "sec-fetch-site": "cross-site" },
    { origin: "https://evil.example" },
    { origin: "null" },
  ])("of another site (%j) is refused, and not recorded", async (headers) => {
    const { statusCode, recorded } = await service.recordedBy(() =>
      service.sendForm(fields, { ...headers }),
    );
    expect([statusCode, recorded]).toEqual([403, []]);
  });
});

describe("the service", () => {
  it("accepts so many messages a minute from one address, and answers when the next may come", async () => {
    const limited = await buildTestApp(service.ledger, { formsPerMinute: 2 });
    const answers = [];
    for (let index = 0; index < 3; index += 1) {
      answers.push(await service.send(entered({ website: "x" }), {}, limited));
    }
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    expect(Number(answers.at(-1)?.headers["retry-after"])).toBeGreaterThan(0);
    const form = await service.sendForm(entered(), {}, limited);
    expect(form.headers["location"]).toBe("/answer#contact-failed");
    await limited.close();
  });

  it("without its database answers 503 without internals, and leads plain forms to a page", async () => {
    const url = "postgres://ledger_app:secret-word@127.0.0.1:1/nowhere";
    const sql = openPool(url, { applicationName: "test" });
    const cutOff = await buildTestApp(service.ledger, { sql });
    const answer = await service.send(entered(), {}, cutOff);
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "1"]);
    expect(Problem.strict().parse(answer.json()).code).toBe("ledger_unavailable");
    expect(answer.body).not.toMatch(/secret-word|127\.0\.0\.1|noa\.levi/);
    const form = await service.sendForm(entered(), {}, cutOff);
    expect(form.headers["location"]).toBe("/answer#contact-failed");
    await cutOff.close();
    await sql.end();
  });

  it("refuses bodies larger than any message", async () => {
    const answer = await service.send(entered({ message: "x".repeat(contactLimits.bodyBytesMax) }));
    expect(answer.statusCode).toBe(413);
  });

  it("records or refuses whatever programs send, and its chain holds", async () => {
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
        const { statusCode } = plain ? await service.sendForm(body) : await service.send(body);
        expect([200, 303, 422]).toContain(statusCode);
      }),
      { numRuns: 60 },
    );
    expect((await verifyLedger(service.ledger.owner)).findings).toEqual([]);
  });
});
