import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { openMailboxes } from "../testing/open-mailboxes.ts";
import { dayMs, problemOf } from "../testing/open-privacy.ts";

let platform: Awaited<ReturnType<typeof openMailboxes>>;
let begun: number;
beforeAll(async () => {
  platform = await openMailboxes();
});
afterAll(() => platform.close());
beforeEach(() => {
  begun = platform.time.ms;
  return () => void (platform.time.ms = begun);
});

const subjectsTo = (email: string) => platform.senders.mailsTo(email).map(({ subject }) => subject);

/** An agent asks for another person; the person is notified. */
async function askedFor(type: "access" | "delete") {
  const { newAddress, senders } = platform;
  const [agent, about] = [newAddress(false), newAddress(true)];
  const asked = { type, relation: "authorised", about, text: "I act for my mother." };
  const { requestId } = await senders.verified(agent, asked);
  await platform.work(requestId);
  expect(subjectsTo(about)).toEqual(["A privacy request was made about you"]);
  return { agent, about, requestId };
}

describe("an agent with a power of attorney", () => {
  it("gets the copy once an officer has checked it and the person had seven days", async () => {
    const { agent, about, requestId } = await askedFor("access");
    const officer = platform.officer();
    expect(await officer.decided(requestId, "claim")).toMatchObject({
      form: { needsReview: true, text: "I act for my mother.", checks: [] },
    });
    expect(problemOf(await officer.decide(requestId, "approve")).code).toBe("not_possible_now");
    await officer.decided(requestId, "check", { check: "power-of-attorney" });
    expect(problemOf(await officer.decide(requestId, "approve")).code).toBe("not_possible_now");
    platform.time.ms += 7 * dayMs;
    await officer.decided(requestId, "claim");
    await officer.decided(requestId, "approve");
    await platform.work(requestId);
    expect(subjectsTo(agent).at(-1)).toBe("The copy of your data is ready");
    expect((await platform.senders.download(agent)).statusCode).toBe(200);
    // The person gets neither codes nor the copy by the agent's request.
    expect(subjectsTo(about)).toHaveLength(1);
  });

  it("has a deletion approved by two officers, and only the person's mailbox is erased", async () => {
    const { agent, requestId } = await askedFor("delete");
    platform.subscribed.add(agent);
    platform.time.ms += 7 * dayMs;
    for (const officer of [platform.officer(), platform.officer()]) {
      await officer.decided(requestId, "claim");
      await officer.decided(requestId, "check", { check: "power-of-attorney" });
      const { status } = await officer.decided(requestId, "approve");
      if (status === "pending") await officer.decided(requestId, "release");
    }
    const { token } = platform.senders.mailed(agent);
    expect(await platform.senders.statusOf(token)).toMatchObject({ status: "scheduled" });
    expect(platform.subscribed.has(agent)).toBe(true);
  });
});

describe("an agent without authority", () => {
  it("is stopped by the person, who objects by the link of the notice", async () => {
    const { agent, about, requestId } = await askedFor("delete");
    const { token } = platform.senders.mailed(about);
    expect((await platform.senders.post("/end", { payload: { token } })).statusCode).toBe(200);
    await platform.work(requestId);
    expect(await platform.senders.statusOf(token)).toMatchObject({ outcome: "withdrawn" });
    expect(subjectsTo(agent).at(-1)).toBe("Your privacy request was withdrawn");
    expect(platform.subscribed.has(about)).toBe(true);
  });

  it("is denied by an officer who finds no proof, learns nothing of the person, and nothing is changed", async () => {
    const { agent, about, requestId } = await askedFor("access");
    const officer = platform.officer();
    await officer.decided(requestId, "claim");
    await officer.decided(requestId, "deny", { reason: "insufficient-verification" });
    await platform.work(requestId);
    const last = platform.senders.mailsTo(agent).at(-1);
    expect(last?.subject).toBe("Your privacy request was denied");
    expect(last?.text).toContain("it could not be verified who asked");
    for (const { text } of platform.senders.mailsTo(agent)) expect(text).not.toContain(about);
    expect(platform.subscribed.has(about)).toBe(true);
    const { token } = platform.senders.mailed(agent);
    expect(await platform.senders.statusOf(token)).toMatchObject({
      outcome: "denied",
      package: null,
      canEnd: false,
    });
    // What was entered, the person's address among it, is destroyed with the last mail.
    expect(await platform.ledger.subjects.find(requestId)).toBeUndefined();
  });

  it("is denied for suspected fraud by two officers alone", async () => {
    const { requestId } = await askedFor("delete");
    const [first, second] = [platform.officer(), platform.officer()];
    const reason = { reason: "suspected-fraud" };
    await first.decided(requestId, "claim");
    expect((await first.decided(requestId, "deny", reason)).status).toBe("pending");
    await first.decided(requestId, "release");
    await second.decided(requestId, "claim");
    expect(await second.decided(requestId, "deny", reason)).toMatchObject({ outcome: "denied" });
  });
});

describe("a person without access to their account", () => {
  it("whose identity is refused gets that answer, and the account stays as it is", async () => {
    const dana = platform.person();
    platform.accounts.set(dana.email, dana.accountId);
    const request = await platform.senders.verified(dana.email, {
      relation: "account",
      type: "delete",
    });
    const { requestId } = request;
    await platform.work(requestId);
    expect(subjectsTo(dana.email)).toContain("A privacy request was made for your account");
    const officer = platform.officer();
    await officer.decided(requestId, "claim");
    await officer.decided(requestId, "deny", { reason: "insufficient-verification" });
    await platform.work(requestId);
    expect(subjectsTo(dana.email).at(-1)).toBe("Your privacy request was denied");
    expect(await dana.requests()).toMatchObject([{ requestId, outcome: "denied" }]);
    // Who signs in asks again, and needs nothing of this.
    expect((await dana.askForDeletion()).statusCode).toBe(201);
  });
});
