import { randomUUID } from "node:crypto";

import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { testCause } from "../../testing/create-test-ledger.ts";
import { requestKeysEraser } from "./erase/stores.ts";
import { lastMail } from "./mails.ts";
import * as facts from "./testing/facts.ts";
import { dayMs, openPrivacy, problemOf, requestIn, timersOf } from "./testing/open-privacy.ts";

let privacy: Awaited<ReturnType<typeof openPrivacy>>;
let receivedMs: number;
beforeAll(async () => {
  privacy = await openPrivacy();
  receivedMs = privacy.time.ms;
});
afterAll(() => privacy.close());

const person = (...of: Parameters<typeof privacy.person>) => privacy.person(...of);
const at = (days: number): string => new Date(receivedMs + days * dayMs).toISOString();
const mailsAbout = (requestId: string) => privacy.mails.filter(({ id }) => id.endsWith(requestId));

describe("the deletion of an account", () => {
  it("is scheduled at once, and says what happens on which date", async () => {
    const dana = person();
    const answer = await dana.askForDeletion();
    expect(answer.statusCode).toBe(201);
    const request = requestIn(answer);
    expect(request).toMatchObject({
      type: "delete",
      status: "scheduled",
      outcome: null,
      receivedAt: at(0),
      dueAt: "2026-03-22T22:00:00.000Z",
      deletion: {
        eraseAt: at(30),
        backupsGoneBy: at(90),
        cancellable: true,
        waived: false,
        held: false,
      },
      history: [
        { step: "received", at: at(0) },
        { step: "verified", at: at(0) },
        { step: "scheduled", at: at(0) },
      ],
    });
    expect(await dana.requests()).toEqual([request]);
    const stored = await privacy.ledger.owner`
      select string_agg(data || meta, '') as text from ledger.event
       where stream = ${`privacy-${request.requestId}`}`;
    expect(JSON.stringify(stored)).not.toMatch(/found a job|example\.com/);
  });

  it("needs the address of the account, however it is written", async () => {
    const dana = person();
    const other = { email: "another@example.com", reason: "" };
    expect(problemOf(await dana.send("POST", "/delete", other))).toEqual({
      status: 422,
      code: "email_differs",
    });
    expect(await dana.requests()).toEqual([]);
    const typed = { email: ` ${dana.email.toUpperCase()} ` };
    expect((await dana.send("POST", "/delete", typed)).statusCode).toBe(201);
  });

  it("needs a fresh sign-in, and cancelling does not", async () => {
    const dana = person({ signedInMs: dayMs });
    expect((await dana.askForDeletion()).statusCode).toBe(403);
    const late = await dana.send("POST", "/waive-grace", { email: dana.email });
    expect(late.statusCode).toBe(403);
    expect(problemOf(await dana.send("POST", "/cancel-deletion", {}))).toEqual({
      status: 409,
      code: "no_deletion",
    });
  });

  it("is one, also when it is asked for many times at once", async () => {
    const dana = person();
    const answers = await Promise.all(Array.from({ length: 8 }, () => dana.askForDeletion()));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(201));
    expect(new Set(answers.map((answer) => requestIn(answer).requestId)).size).toBe(1);
    expect(await dana.requests()).toHaveLength(1);
  });

  it("of another account is neither seen nor cancelled", async () => {
    const [dana, omar] = [person(), person()];
    await dana.askForDeletion();
    expect(await omar.requests()).toEqual([]);
    expect(problemOf(await omar.send("POST", "/cancel-deletion", {})).code).toBe("no_deletion");
    expect((await dana.requests())[0]?.status).toBe("scheduled");
  });

  it("is cancelled within the grace period, and can be asked for again", async () => {
    const dana = person();
    const key = randomUUID();
    const { requestId } = requestIn(await dana.askForDeletion(key));
    const cancelled = requestIn(await dana.send("POST", "/cancel-deletion", {}));
    expect(cancelled).toMatchObject({ requestId, status: "completed", outcome: "cancelled" });
    expect(problemOf(await dana.send("POST", "/cancel-deletion", {})).code).toBe("no_deletion");
    expect(requestIn(await dana.askForDeletion(key))).toEqual(cancelled);
    const again = requestIn(await dana.askForDeletion());
    expect(again).toMatchObject({ status: "scheduled" });
    expect(again.requestId).not.toBe(requestId);
    expect(await dana.requests()).toHaveLength(2);
  });

  it("begins at once when its holder gives up the days that are left", async () => {
    const dana = person();
    const { requestId } = requestIn(await dana.askForDeletion());
    const wrong = { email: "another@example.com" };
    expect(problemOf(await dana.send("POST", "/waive-grace", wrong)).code).toBe("email_differs");
    const waived = requestIn(await dana.send("POST", "/waive-grace", { email: dana.email }));
    expect(waived.deletion).toMatchObject({ eraseAt: at(0), waived: true, backupsGoneBy: at(90) });
    const timers = await timersOf(privacy.ledger.owner, requestId);
    expect(timers.map(({ name, at: due }) => [name, due])).toContainEqual([
      "privacy.erase",
      receivedMs,
    ]);
  });

  it("is not brought forward under a legal hold", async () => {
    const dana = person();
    const { requestId } = requestIn(await dana.askForDeletion());
    await privacy.record(requestId, facts.holdPlaced(instantFromMs(privacy.time.ms + 10 * dayMs)));
    expect(problemOf(await dana.send("POST", "/waive-grace", { email: dana.email })).code).toBe(
      "on_hold",
    );
    expect((await dana.requests())[0]?.deletion).toMatchObject({ held: true, cancellable: true });
  });

  it("is not cancelled once the erasure has begun", async () => {
    const dana = person();
    const { requestId } = requestIn(await dana.askForDeletion());
    privacy.time.ms = receivedMs + 31 * dayMs;
    await privacy.record(requestId, {
      type: "EraseClaimed",
      data: { steps: ["accounts", "subject-key"] },
    });
    expect(problemOf(await dana.send("POST", "/cancel-deletion", {})).code).toBe("erasing_already");
    expect(problemOf(await dana.send("POST", "/waive-grace", { email: dana.email })).code).toBe(
      "erasing_already",
    );
    privacy.time.ms = receivedMs;
    expect((await dana.requests())[0]?.deletion?.cancellable).toBe(false);
  });
});

describe("what a holder writes as the reason", () => {
  const contact = { fullName: "Dana", address: "", language: "en", timeZone: "UTC" } as const;
  const sealedOf = async (requestId: string) =>
    (
      await privacy.ledger
        .owner`select from ledger.event where key_id = ${requestId} and sealed is not null`
    ).length;
  it("is destroyed when the deletion is cancelled", async () => {
    const dana = person();
    const { requestId } = requestIn(await dana.askForDeletion());
    expect(await sealedOf(requestId)).toBe(1);
    await dana.send("POST", "/cancel-deletion", {});
    await privacy.work(requestId);
    expect(await sealedOf(requestId)).toBe(0);
  });

  it("is destroyed with the account, after its holder was mailed that the erasure has begun", async () => {
    const dana = person();
    const { requestId } = requestIn(await dana.askForDeletion());
    await dana.send("POST", "/waive-grace", { email: dana.email });
    const why = { now: instantFromMs(privacy.time.ms), cause: testCause() };
    await privacy.record(requestId, {
      type: "EraseClaimed",
      data: { steps: ["notice", "subject-key"] },
    });
    const whose = { accountId: dana.accountId, email: dana.email };
    const contactOf = async () => ({ ...contact, email: dana.email });
    expect(await lastMail(contactOf).erase(privacy.worker, whose, why)).toEqual({
      found: 1,
      left: 0,
    });
    expect(mailsAbout(requestId).map(({ id }) => id)).toEqual([`privacy-begun-${requestId}`]);
    expect(await requestKeysEraser.erase(privacy.worker, whose, why)).toEqual({
      found: 1,
      left: 0,
    });
    expect(await sealedOf(requestId)).toBe(0);
  });
});

describe("mails about a deletion", () => {
  it.each([
    ["en", "Your account will be deleted", "March 31, 2026", "Your account will not be deleted"],
    ["he", "החשבון שלך יימחק", "31 במרץ 2026", "החשבון שלך לא יימחק"],
  ] as const)("say when, and how to cancel (%s)", async (language, scheduled, day, cancelled) => {
    const dana = person({ language });
    const { requestId } = requestIn(await dana.askForDeletion());
    await privacy.work(requestId);
    const [first] = mailsAbout(requestId);
    expect(first).toMatchObject({ subject: scheduled, to: { address: dana.email }, language });
    expect(first?.text).toContain(day);
    expect(first?.text).toContain("/account/privacy");
    await dana.send("POST", "/cancel-deletion", {});
    await privacy.work(requestId);
    expect(mailsAbout(requestId).map(({ subject }) => subject)).toEqual([scheduled, cancelled]);
  });

  it("are not sent about what was cancelled meanwhile", async () => {
    const dana = person();
    const { requestId } = requestIn(await dana.askForDeletion());
    await dana.send("POST", "/cancel-deletion", {});
    await privacy.work(requestId);
    expect(mailsAbout(requestId).map(({ id }) => id)).toEqual([`privacy-cancelled-${requestId}`]);
  });
});
