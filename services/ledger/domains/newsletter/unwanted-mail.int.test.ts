import type { ScriptedSmtp } from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import {
  bouncesPath,
  newsletterPaths,
  subscribePath,
} from "@pro-talent/schemas/newsletter/categories";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { internalToken } from "../../testing/create-test-ledger.ts";
import { type MailedNewsletter, openMailedNewsletter } from "./testing/mailed-newsletter.ts";
import {
  expectRefusal,
  type NewsletterService,
  subscribeAndConfirm,
  subscribeBody,
} from "./testing/newsletter-service.ts";

let mailed: MailedNewsletter;
let service: NewsletterService;
let smtp: ScriptedSmtp;
beforeAll(async () => {
  mailed = await openMailedNewsletter();
  ({ service, smtp } = mailed);
});
afterEach(() => smtp.forget());
afterAll(() => mailed.close());

const internal = { authorization: `Bearer ${internalToken}` };
const subscribe = (email: string) => service.post(subscribePath, subscribeBody(email));

describe("a mailbox under sixty names", () => {
  it("receives a handful of mails on a day, and the answers do not show it", async () => {
    const names = Array.from({ length: 60 }, (_, index) => `Noa.Levi+${index}@Gmail.com`);
    const answers = [];
    for (const name of names) answers.push((await subscribe(name)).json());
    await mailed.deliverAll();
    expect(smtp.accepted().length).toBe(5);
    const later = [];
    for (const name of ["n.oalevi@googlemail.com", "noalevi+x@gmail.com"]) {
      later.push((await subscribe(name)).json());
    }
    await mailed.deliverAll();
    expect(smtp.accepted().length).toBe(5);
    expect(new Set([...answers, ...later].map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ status: "confirmation_sent" })]),
    );
  });
});

describe("after a complaint", () => {
  it("no form leads to a mail again, also under other names of the mailbox", async () => {
    const email = "quiet.reader@gmail.com";
    const { subscriberId } = await subscribeAndConfirm(service, email);
    await service.post(bouncesPath, { subscriberId, kind: "complaint" }, internal);
    await mailed.erase(subscriberId);
    for (const name of [email, "quietreader+again@googlemail.com"]) {
      expect((await subscribe(name)).json()).toEqual({ status: "confirmation_sent" });
      await service.post(newsletterPaths.preferencesLink, { email: name });
    }
    await mailed.deliverAll();
    expect(smtp.accepted().map(({ to }) => to)).toEqual([]);
  });
});

describe("the link that ends all mail, in every mail that asks to confirm", () => {
  const tokenIn = (text: string): string => /never\?token=([\w-]+)/.exec(text)?.[1] ?? "";
  const mailsTo = (name: string): number => smtp.accepted().filter(({ to }) => to === name).length;

  /** A visitor's request for this address. @returns the token of the link in its mail */
  async function neverTokenFor(email: string, change = {}): Promise<string> {
    await service.post(subscribePath, subscribeBody(email, change));
    await mailed.deliverAll();
    const mail = await smtp.mailTo(email);
    expect(mail.html).toContain(tokenIn(mail.text));
    return tokenIn(mail.text);
  }

  it.each([
    ["newsletter", "Never write to this address again", {}],
    ["waitlist", "Never write to this address again", { tags: ["signup_page", "waitlist"] }],
    ["newsletter in Hebrew", "\u05dc\u05d0 \u05dc\u05db\u05ea\u05d5\u05d1", { language: "he" }],
  ])("of the %s: nothing is sent again, and the address is erased", async (name, label, change) => {
    const email = `${name.replaceAll(" ", "-")}@example.com`;
    const token = await neverTokenFor(email, change);
    expect((await smtp.mailTo(email)).text).toContain(label);
    const answer = await service.post(newsletterPaths.never, { token });
    expect(answer.json()).toEqual({ status: "never_again" });
    const { subscriberId } = await service.newestMail();
    expect(await service.statusOf(subscriberId)).toBe("unsubscribed");
    for (const again of [email, email.replace("@", "+x@")]) {
      expect((await subscribe(again)).json()).toEqual({ status: "confirmation_sent" });
    }
    await mailed.deliverAll();
    expect(mailsTo(email)).toBe(1);
    // What was entered again is not kept either.
    expect(await service.statusOf((await service.newestMail()).subscriberId)).toBe("unsubscribed");
  });

  it("works after the address was erased, from a form without scripts, and twice", async () => {
    const email = "erased.long.ago@example.com";
    const token = await neverTokenFor(email);
    const { subscriberId } = await service.newestMail();
    await mailed.erase(subscriberId);
    for (let press = 0; press < 2; press += 1) {
      const answer = await service.postForm(`${newsletterPaths.never}?token=${token}`, "");
      expect(answer.statusCode).toBe(303);
      expect(answer.headers.location).toBe("/answer#never-done");
    }
    await subscribe(email);
    await mailed.deliverAll();
    expect(mailsTo(email)).toBe(1);
  });

  it("is no other token, and a made-up one changes nothing", async () => {
    const token = await neverTokenFor("still.asked@example.com");
    const others = await service.newestMail();
    const made = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
    for (const wrong of [others.token, service.manageToken(others.subscriberId), made]) {
      expectRefusal(
        await service.post(newsletterPaths.never, { token: wrong }),
        404,
        "token_unknown",
      );
    }
    expectRefusal(await service.post(newsletterPaths.confirm, { token }), 404, "token_unknown");
    expectRefusal(await service.post(newsletterPaths.unsubscribe, { token }), 404, "token_unknown");
    expect(await service.statusOf(others.subscriberId)).toBe("pending");
    const form = await service.postForm(newsletterPaths.never, "token=made-up");
    expect(form.headers.location).toBe("/answer#never-failed");
  });
});

describe("a mailbox that was sent the mails of a day", () => {
  const email = "busy.mailbox@example.com";
  const use = async (from: number): Promise<void> => {
    for (let name = from; name < 6; name += 1) await subscribe(`busy.mailbox+${name}@example.com`);
    await mailed.deliverAll();
  };

  it("keeps the link of the mail that it has, and learns that there is no new one", async () => {
    await subscribe(email);
    await mailed.deliverAll();
    const { token } = await service.newestMail();
    await use(0);
    expect((await subscribe(email)).json()).toEqual({ status: "confirmation_sent" });
    expectRefusal(await service.post(newsletterPaths.resend, { token }), 429, "rate_limited");
    const confirmed = await service.post(newsletterPaths.confirm, { token });
    expect(confirmed.json()).toEqual({ status: "confirmed", email });
    expect((await subscribe(email)).statusCode).toBe(409);
  });

  it("is welcomed nevertheless, and receives mails again a day later", async () => {
    await mailed.deliverAll();
    expect(smtp.byRecipient().get(email)).toBe(1);
    await service.ledger.owner`
      update ledger.mailbox_mail set counted_at = counted_at - interval '25 hours'`;
    await service.ledger.sql`select ledger.forget_mailbox_mails()`;
    await use(5);
    expect(smtp.byRecipient().get("busy.mailbox+5@example.com")).toBe(1);
  });
});

describe("what is kept", () => {
  it("leads to no address", async () => {
    const { owner } = service.ledger;
    const rows = await owner`
      select d::text as row from ledger.do_not_mail d union all
      select m::text from ledger.mailbox_mail m`;
    expect(rows.length).toBeGreaterThan(5);
    expect(JSON.stringify(rows)).not.toMatch(/@|busy|reader|noa/i);
  });
});
