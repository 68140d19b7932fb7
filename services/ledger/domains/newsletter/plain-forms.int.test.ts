import { randomUUID } from "node:crypto";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { newsletterPaths, subscribePath } from "@pro-talent/schemas/newsletter/categories";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hourMs } from "./testing/histories.ts";
import {
  browserOf,
  type NewsletterService,
  openNewsletterService,
  subscribeAndConfirm,
  subscribeBody,
} from "./testing/newsletter-service.ts";

let service: NewsletterService;
beforeAll(async () => {
  service = await openNewsletterService();
});
afterAll(() => service.close());

const { confirm, resend, preferences, unsubscribe } = newsletterPaths;
const newAddress = (): string => `reader+${randomUUID()}@example.com`;

/** What a browser without scripts sends of the waitlist's form. */
function waitlist(email: string, change: Record<string, string> = {}): string {
  const fields = new URLSearchParams({
    email,
    consentText: "ברצוני לקבל עדכונים בניוזלטר, ומדיניות הפרטיות ותנאי השימוש מקובלים עליי.",
    website: "",
    language: "he",
    sourceContext: "signup_page",
    frequency: "weekly",
    ...change,
  });
  for (const topic of ["launch", "updates", "early_bird"]) fields.append("topics", topic);
  for (const tag of ["signup_page", "waitlist"]) fields.append("tags", tag);
  return fields.toString();
}

async function expectLedTo(answering: ReturnType<NewsletterService["get"]>, place: string) {
  const response = await answering;
  expect(response.statusCode).toBe(303);
  expect(response.headers["location"]).toBe(place);
  expect(response.headers["cache-control"]).toBe("no-store");
  expect(response.body).toBe("");
}

describe("without scripts, the form of the waitlist", () => {
  it("leads to the page about the next step, and every preference is recorded", async () => {
    await expectLedTo(
      service.postForm(subscribePath, waitlist(newAddress()), {
        origin: service.ledger.publicOrigin,
      }),
      "/answer#subscribe-sent",
    );
    const { subscriberId } = await service.newestMail();
    const [event] = await service.ledger.sql<{ data: string }[]>`
      select data from ledger.event where stream = ${`newsletter-${subscriberId}`}`;
    expect(JSON.parse(event?.data ?? "")).toMatchObject({
      language: "he",
      frequency: "weekly",
      topics: ["launch", "updates", "early_bird"],
      tags: ["signup_page", "waitlist"],
      agreed: { language: "he", version: "2025-10-17" },
    });
  });

  it("may have one topic only", async () => {
    const fields = new URLSearchParams({
      email: newAddress(),
      language: "en",
      sourceContext: "footer_form",
      consentText: "I agree",
      topics: "updates",
    });
    await expectLedTo(service.postForm(subscribePath, fields.toString()), "/answer#subscribe-sent");
  });

  it.each([
    ["without an address", { email: "" }],
    ["with a mistyped address", { email: "noa@example" }],
    ["without a consent text", { consentText: "" }],
  ])("%s leads to the page about missing fields", async (_what, change) => {
    await expectLedTo(
      service.postForm(subscribePath, waitlist(newAddress(), change)),
      "/answer#subscribe-incomplete",
    );
  });

  it("of a subscriber leads to the page about that", async () => {
    const email = newAddress();
    await subscribeAndConfirm(service, email);
    await expectLedTo(
      service.postForm(subscribePath, waitlist(email)),
      "/answer#subscribe-already",
    );
  });

  it("with a filled honeypot is answered the same", async () => {
    const before = (await service.messages()).length;
    await expectLedTo(
      service.postForm(subscribePath, waitlist(newAddress(), { website: "x" })),
      "/answer#subscribe-sent",
    );
    expect((await service.messages()).length).toBe(before);
  });

  it.each([
    ["another site's origin", { origin: "https://evil.example" }],
    ["a page that hides its origin", { origin: "null" }],
    ["another site, as the browser reports", { "sec-fetch-site": "cross-site" }],
  ])("is refused from %s", async (_what, headers) => {
    const before = (await service.messages()).length;
    const response = await service.postForm(subscribePath, waitlist(newAddress()), headers);
    expect(response.statusCode).toBe(403);
    expect((await service.messages()).length).toBe(before);
  });
});

describe("without scripts, the token of a confirmation mail", () => {
  it("leads to the page that names the subscribed address", async () => {
    const email = newAddress();
    await service.post(subscribePath, subscribeBody(email));
    const { token } = await service.newestMail();
    const page = `/newsletter/confirmed?email=${encodeURIComponent(email)}`;
    await expectLedTo(service.postForm(confirm, `token=${token}`), page);
    await expectLedTo(service.postForm(confirm, `token=${token}`), "/answer#confirm-used");
  });

  it("is also found in the page's query", async () => {
    const email = newAddress();
    await service.post(subscribePath, subscribeBody(email));
    const { token } = await service.newestMail();
    const page = `/newsletter/confirmed?email=${encodeURIComponent(email)}`;
    await expectLedTo(service.postForm(`${confirm}?token=${token}`, ""), page);
  });

  it("that has expired leads to the page about that, and still requests another mail", async () => {
    await service.post(subscribePath, subscribeBody(newAddress()));
    const { token } = await service.newestMail();
    service.advance(48 * hourMs);
    await expectLedTo(service.postForm(confirm, `token=${token}`), "/answer#confirm-expired");
    await expectLedTo(service.postForm(resend, `token=${token}`), "/answer#resend-sent");
    await expectLedTo(service.postForm(confirm, `token=${token}`), "/answer#confirm-superseded");
  });

  it("that is unknown leads to the page about that", async () => {
    for (const path of [confirm, resend, preferences, unsubscribe]) {
      await expectLedTo(service.postForm(path, "token=x"), "/answer#confirm-unknown");
    }
    await expectLedTo(service.postForm(confirm, ""), "/answer#subscribe-failed");
  });
});

it("without scripts, the form for a new link leads to the page about that, or about what is missing", async () => {
  const link = newsletterPaths.preferencesLink;
  await expectLedTo(service.postForm(link, "email=noa%40example.com"), "/answer#link-sent");
  await expectLedTo(service.postForm(link, "email="), "/answer#subscribe-incomplete");
});

describe("without scripts, the preferences", () => {
  it("are saved, with one topic or several", async () => {
    const { subscriberId, token } = await subscribeAndConfirm(service, newAddress());
    for (const topics of ["topics=launch", "topics=launch&topics=updates"]) {
      await expectLedTo(
        service.postForm(preferences, `token=${token}&language=he&frequency=monthly&${topics}`),
        "/answer#preferences-saved",
      );
    }
    expect(
      await service.ledger.sql`
      select topics from ledger.newsletter_subscriber where subscriber_id = ${subscriberId}`,
    ).toEqual([{ topics: ["launch", "updates"] }]);
  });

  it("of a subscriber who left lead to the page about that", async () => {
    const { token } = await subscribeAndConfirm(service, newAddress());
    await expectLedTo(service.postForm(unsubscribe, `token=${token}`), "/answer#unsubscribed");
    await expectLedTo(
      service.postForm(preferences, `token=${token}&language=he&frequency=weekly&topics=launch`),
      "/answer#unsubscribed",
    );
  });
});

describe("too many forms from one address", () => {
  it("are refused with a text and a time, but unsubscribing is always possible", async () => {
    const strict = await openNewsletterService({ formsPerMinute: 3 });
    try {
      const { token } = await subscribeAndConfirm(strict, newAddress());
      await strict.post(subscribePath, subscribeBody(newAddress()));
      // Before the form is read: its language is that of the browser.
      const response = await strict.post(
        subscribePath,
        subscribeBody(newAddress()),
        browserOf("he"),
      );
      expect(response.statusCode).toBe(429);
      expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
      expect(response.json()).toMatchObject({
        code: "rate_limited",
        error: "היו יותר מדי ניסיונות בזמן קצר. נא לנסות שוב מאוחר יותר.",
      });
      await expectLedTo(
        strict.postForm(subscribePath, waitlist(newAddress())),
        "/answer#subscribe-failed",
      );
      expect((await strict.get(`${preferences}?token=${token}`)).statusCode).toBe(200);
      for (let round = 0; round < 5; round += 1) {
        expect((await strict.post(unsubscribe, { token })).statusCode).toBe(200);
      }
    } finally {
      await strict.close();
    }
  });
});

describe("too many reads from one address", () => {
  it("are refused, and forms are accepted all the same", async () => {
    const strict = await openNewsletterService({ readsPerMinute: 3 });
    try {
      const { token } = await subscribeAndConfirm(strict, newAddress());
      const statuses: number[] = [];
      for (let read = 0; read < 4; read += 1)
        statuses.push((await strict.get(`${preferences}?token=${token}`)).statusCode);
      expect(statuses).toEqual([200, 200, 200, 429]);
      const response = await strict.post(subscribePath, subscribeBody(newAddress()));
      expect(response.statusCode).toBe(200);
    } finally {
      await strict.close();
    }
  });
});

describe("while the database is away", () => {
  it("every call is refused with the time of the next attempt", async () => {
    const sql = openPool("postgres://ledger_app@127.0.0.1:9/none", { applicationName: "test" });
    const away = await openNewsletterService({ sql });
    try {
      const { token } = await subscribeAndConfirm(service, newAddress());
      const { token: confirmation } = await service.newestMail();
      const answers = [
        await away.post(subscribePath, subscribeBody(newAddress())),
        await away.post(confirm, { token: confirmation }),
        await away.post(resend, { token: confirmation }),
        await away.get(`${preferences}?token=${token}`),
        await away.post(unsubscribe, { token }),
      ];
      for (const answer of answers) {
        expect(answer.statusCode).toBe(503);
        expect(answer.headers["retry-after"]).toBe("1");
        expect(answer.json()).toMatchObject({ code: "ledger_unavailable" });
      }
      await expectLedTo(
        away.postForm(subscribePath, waitlist(newAddress())),
        "/answer#subscribe-failed",
      );
    } finally {
      await away.close();
      await sql.end();
    }
  });
});
