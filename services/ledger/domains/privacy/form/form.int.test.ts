import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { formRequestIn as requestIn } from "../testing/form-sender.ts";
import { openMailboxes } from "../testing/open-mailboxes.ts";
import { dayMs, problemOf, timersOf } from "../testing/open-privacy.ts";

let privacy: Awaited<ReturnType<typeof openMailboxes>>;
let senders: Awaited<ReturnType<typeof openMailboxes>>["senders"];
let newAddress: (known: boolean) => string;
let accounts: Map<string, string>;
let subscribed: Set<string>;
beforeAll(async () => {
  privacy = await openMailboxes();
  ({ senders, newAddress, accounts, subscribed } = privacy);
});
afterAll(() => privacy.close());

describe("the public form", () => {
  it("answers and mails the same for an address that is known and one that is not", async () => {
    const [known, unknown] = [newAddress(true), newAddress(false)];
    const answers = [await senders.ask(known), await senders.ask(unknown)];
    const [first, second] = answers.map(({ statusCode, headers, body }) => {
      const { date: _date, "x-request-id": _id, ...rest } = headers;
      return { statusCode, body, rest };
    });
    expect(first).toEqual(second);
    expect(first).toMatchObject({ statusCode: 202, body: '{"status":"code_sent"}' });
    const shapeOf = (email: string) =>
      senders.mailsTo(email).map(({ subject, text }) => ({
        subject,
        text: text.replaceAll(/\b\d{8}\b/gu, "code").replace(/#[\w-]+/u, "#token"),
      }));
    expect(shapeOf(known)).toHaveLength(1);
    expect(shapeOf(known)).toEqual(shapeOf(unknown));
    const waiting = [known, unknown].map(
      async (email) => await senders.statusOf(senders.mailed(email).token),
    );
    const [one, other] = (await Promise.all(waiting)).map(({ requestId: _id, ...rest }) => rest);
    expect(one).toEqual(other);
  });

  it("states whether anything is held once the code is entered, and forgets what was entered", async () => {
    const email = newAddress(false);
    const request = await senders.verified(email, { type: "delete" });
    expect(request).toMatchObject({ status: "completed", outcome: "nothing-held" });
    await privacy.work(request.requestId);
    expect(senders.mailsTo(email).at(-1)?.subject).toBe("We hold nothing about this address");
    const [sealed] = await privacy.ledger.owner<{ keys: number; sealed: number }[]>`
      select (select count(*)::int from ledger.subject where subject_id = ${request.requestId}) as keys,
             (select count(*)::int from ledger.event
               where key_id = ${request.requestId} and sealed is not null) as sealed`;
    expect(sealed).toEqual({ keys: 0, sealed: 0 });
    expect(await timersOf(privacy.ledger.owner, request.requestId)).toEqual([]);
  });

  it("answers two forms of one address with one request, also when they arrive at once", async () => {
    const email = newAddress(true);
    await Promise.all([senders.ask(email), senders.ask(email), senders.ask(email)]);
    await privacy.sendMails();
    const tokens = senders.mailsTo(email).map(({ text }) => /status#([\w-]+)/u.exec(text)?.[1]);
    expect(new Set(tokens).size).toBe(1);
    const { requestId } = await senders.statusOf(senders.mailed(email).token);
    expect((await senders.verify(email)).statusCode).toBe(200);
    await senders.ask(email);
    // Verified by now: the mail has the link and no code. It is the fourth of the day, so none is sent.
    expect((await senders.statusOf(senders.mailed(email).token)).requestId).toBe(requestId);
    await senders.ask(email, { type: "delete" });
    expect((await senders.statusOf(senders.mailed(email).token)).requestId).not.toBe(requestId);
  });

  it("drops what a program fills in, and answers it like any other", async () => {
    const email = newAddress(false);
    const payload = { email, type: "access", relation: "mailbox", website: "https://spam.example" };
    expect((await senders.post("", { payload })).statusCode).toBe(202);
    await privacy.sendMails();
    expect(senders.mailsTo(email)).toEqual([]);
  });

  it("works without scripts: a page is answered to each form", async () => {
    const email = newAddress(true);
    const payload = { email, type: "access", relation: "mailbox", about: "" };
    const sent = await senders.post("", { payload, plain: true });
    expect([sent.statusCode, sent.headers.location]).toEqual([303, "/answer#privacy-code-sent"]);
    const missing = await senders.post("", { payload: { ...payload, email: "" }, plain: true });
    expect(missing.headers.location).toBe("/answer#privacy-incomplete");
    await privacy.sendMails();
    const wrong = { ...senders.mailed(email), code: "0000 0000" };
    const places = [
      await senders.post("/verification", { payload: wrong, plain: true }),
      await senders.post("/verification", { payload: senders.mailed(email), plain: true }),
      await senders.post("/end", { payload: { token: senders.mailed(email).token }, plain: true }),
      await senders.post("/end", { payload: { token: "made-up" }, plain: true }),
    ].map(({ headers }) => headers.location);
    expect(places).toEqual([
      "/answer#privacy-code-wrong",
      "/answer#privacy-verified",
      "/answer#privacy-ended",
      "/answer#privacy-link-unknown",
    ]);
  });
});

describe("the mailed code", () => {
  it("of fifty guesses at once judges five, then the request has ended", async () => {
    const email = newAddress(true);
    await senders.ask(email);
    const { token, code } = senders.mailed(email);
    const wrong = code === "00000000" ? "00000001" : "00000000";
    const guesses = Array.from({ length: 50 }, () =>
      senders.post("/verification", { payload: { token, code: wrong } }),
    );
    const codes = (await Promise.all(guesses)).map((answer) => problemOf(answer).code);
    expect(codes.filter((one) => one === "code_wrong")).toHaveLength(5);
    expect(codes.filter((one) => one === "code_ended")).toHaveLength(45);
    const { requestId, ...ended } = await senders.statusOf(token);
    expect(ended).toMatchObject({ identity: "ended", outcome: "denied", attemptsLeft: 0 });
    expect(problemOf(await senders.post("/verification", { payload: { token, code } })).code).toBe(
      "code_ended",
    );
    const [failed] = await privacy.ledger.owner<{ count: number }[]>`
      select count(*)::int from ledger.event
       where stream = ${`privacy-${requestId}`} and type = 'IdentityFailed'`;
    expect(failed?.count).toBe(5);
  });

  it("is that of the newest mail, of which three are sent in a day", async () => {
    const email = newAddress(true);
    await senders.ask(email);
    const first = senders.mailed(email);
    const again = () => senders.post("/code", { payload: { token: first.token } });
    expect(requestIn(await again())).toMatchObject({ codesLeft: 1 });
    await privacy.sendMails();
    const older = await senders.post("/verification", { payload: first });
    expect(problemOf(older).code).toBe("code_wrong");
    await again();
    expect(problemOf(await again()).code).toBe("rate_limited");
    await privacy.sendMails();
    expect((await senders.verify(email)).statusCode).toBe(200);
  });

  it("is too late after fourteen days: the request has ended, and what was entered is destroyed", async () => {
    const email = newAddress(true);
    await senders.ask(email);
    const { token } = senders.mailed(email);
    const { requestId } = await senders.statusOf(token);
    const begun = privacy.time.ms;
    privacy.time.ms = begun + 14 * dayMs;
    expect(problemOf(await senders.verify(email)).code).toBe("code_ended");
    await privacy.work(requestId);
    privacy.time.ms = begun;
    expect(await senders.statusOf(token)).toMatchObject({ outcome: "expired", identity: "ended" });
    expect(await privacy.ledger.subjects.find(requestId)).toBeUndefined();
  });
});

describe("a link of a mail", () => {
  it.each(["", "made-up", `${"A".repeat(48)}`])(
    "that no mail has (%s) leads nowhere",
    async (token) => {
      const answer = await senders.post("/status", { payload: { token } });
      expect([404, 422]).toContain(answer.statusCode);
    },
  );

  it("cancels a deletion until it is claimed", async () => {
    const email = newAddress(true);
    const request = await senders.verified(email, { type: "delete" });
    expect(request).toMatchObject({ status: "scheduled", canEnd: true });
    const { token } = senders.mailed(email);
    const ended = await senders.post("/end", { payload: { token } });
    expect(requestIn(ended)).toMatchObject({ outcome: "cancelled", canEnd: false });
    await privacy.work(request.requestId);
    expect(senders.mailsTo(email).at(-1)?.subject).toBe("Your data will not be deleted");
    expect(subscribed.has(email)).toBe(true);
  });
});

describe("an account whose holder did not sign in", () => {
  it("is notified, and its copy waits for a check and seven days; its holder may withdraw it", async () => {
    const person = privacy.person();
    accounts.set(person.email, person.accountId);
    const { requestId } = await senders.verified(person.email, { relation: "account" });
    await privacy.work(requestId);
    expect(senders.mailsTo(person.email).map(({ subject }) => subject)).toContain(
      "A privacy request was made for your account",
    );
    const officer = privacy.officer();
    expect(await officer.decided(requestId, "claim")).toMatchObject({
      form: { isAccount: true, needsReview: true, checks: [] },
    });
    expect(problemOf(await officer.decide(requestId, "approve")).code).toBe("not_possible_now");
    await officer.decided(requestId, "check", { check: "account-details" });
    expect(problemOf(await officer.decide(requestId, "approve")).code).toBe("not_possible_now");
    const [own] = await person.requests();
    expect(own).toMatchObject({ requestId, type: "access", status: "pending" });
    expect((await person.send("POST", `/${requestId}/withdraw`, {})).statusCode).toBe(200);
  });

  it("can be deleted by two officers, and its holder's own deletion does not wait for that", async () => {
    const person = privacy.person();
    accounts.set(person.email, person.accountId);
    const { requestId } = await senders.verified(person.email, {
      relation: "account",
      type: "delete",
    });
    await privacy.work(requestId);
    const begun = privacy.time.ms;
    privacy.time.ms = begun + 7 * dayMs;
    const [first, second] = [privacy.officer(), privacy.officer()];
    await first.decided(requestId, "claim");
    await first.decided(requestId, "check", { check: "identity-document" });
    expect(await first.decided(requestId, "approve")).toMatchObject({ status: "pending" });
    await first.decided(requestId, "release");
    await second.decided(requestId, "claim");
    expect(await second.decided(requestId, "approve")).toMatchObject({ status: "scheduled" });
    privacy.time.ms = begun;
    const other = privacy.person();
    accounts.set(other.email, other.accountId);
    await senders.verified(other.email, { relation: "account", type: "delete" });
    const own = await other.askForDeletion();
    expect(own.json()).toMatchObject({ request: { status: "scheduled" } });
  });
});

describe("a person who authorised another", () => {
  it("is notified whether we know them or not, and the sender does not learn which", async () => {
    const [known, unknown] = [newAddress(true), newAddress(false)];
    const views = [];
    for (const about of [known, unknown]) {
      const agent = newAddress(false);
      const request = await senders.verified(agent, { relation: "authorised", about });
      await privacy.work(request.requestId);
      expect(senders.mailsTo(about).map(({ subject }) => subject)).toEqual([
        "A privacy request was made about you",
      ]);
      const { requestId: _id, ...view } = request;
      views.push(view);
    }
    expect(views[0]).toEqual(views[1]);
  });
});
