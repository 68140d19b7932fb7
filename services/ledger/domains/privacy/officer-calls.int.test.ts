import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { dayMs, openPrivacy, problemOf, requestIn, timersOf } from "./testing/open-privacy.ts";

let privacy: Awaited<ReturnType<typeof openPrivacy>>;
let startMs: number;
beforeAll(async () => {
  privacy = await openPrivacy();
  startMs = privacy.time.ms;
});
afterAll(() => privacy.close());

const fields = { fullName: "דנה לוי", phone: "+972 50 555 0100" };
const corrects = async (dana: ReturnType<typeof privacy.person>) =>
  requestIn(await dana.send("POST", "/correct", { fields })).requestId;
const at = (days: number): string => new Date(startMs + days * dayMs).toISOString();

describe("a correction", () => {
  it("is applied as it was asked for and reviewed, confirmed by mail, and forgotten", async () => {
    const dana = privacy.person();
    const id = await corrects(dana);
    const officer = privacy.officer();
    await officer.decide(id, "claim");
    const { correction } = await officer.read(id);
    expect(correction).toEqual({ asked: fields, held: { fullName: "Dana Levi", phone: "" } });
    const answer = await officer.decide(id, "approve", { held: correction?.held });
    expect(answer.statusCode).toBe(200);
    await privacy.work(id);
    expect(privacy.values.get(dana.accountId)).toMatchObject(fields);
    expect((await dana.requests())[0]).toMatchObject({ status: "completed", outcome: "fulfilled" });
    expect(privacy.mails.at(-1)).toMatchObject({ subject: "Your data has been corrected" });
    expect(await privacy.ledger.subjects.find(id)).toBeUndefined();
    const stored = await privacy.ledger.owner`
      select string_agg(data || meta, '') as text from ledger.event where stream = ${`privacy-${id}`}`;
    expect(JSON.stringify(stored)).not.toMatch(/דנה|\+972/u);
  });

  it("that changes nothing, or names nothing, is refused", async () => {
    const dana = privacy.person();
    const same = await dana.send("POST", "/correct", { fields: { fullName: "Dana Levi" } });
    expect(problemOf(same)).toEqual({ status: 422, code: "unchanged" });
    expect((await dana.send("POST", "/correct", { fields: {} })).statusCode).toBe(422);
    expect(await dana.requests()).toEqual([]);
  });

  it("is not approved on values that have changed since the officer saw them", async () => {
    const dana = privacy.person();
    const id = await corrects(dana);
    const officer = privacy.officer();
    await officer.decide(id, "claim");
    const held = { fullName: "Another name", phone: "" };
    expect(problemOf(await officer.decide(id, "approve", { held })).code).toBe("values_changed");
    expect(problemOf(await officer.decide(id, "approve")).code).toBe("values_changed");
  });

  it("of a value that changes after the approval changes nothing, and is reviewed again", async () => {
    const dana = privacy.person();
    const id = await corrects(dana);
    const officer = privacy.officer();
    await officer.decide(id, "claim");
    await officer.decide(id, "approve", { held: (await officer.read(id)).correction?.held });
    const changed = { fullName: "Dana Cohen", phone: "", address: "", language: "en" } as const;
    privacy.values.set(dana.accountId, changed);
    await privacy.work(id);
    expect(privacy.values.get(dana.accountId)).toEqual(changed);
    const review = await officer.read(id);
    expect(review).toMatchObject({ needsDecision: true, lease: null });
    expect(review.correction?.held.fullName).toBe("Dana Cohen");
  });

  it("is approved for some fields and denied for others, each with its reason; its holder is notified", async () => {
    const dana = privacy.person({ language: "he" });
    const id = await corrects(dana);
    const officer = privacy.officer();
    await officer.decide(id, "claim");
    const held = (await officer.read(id)).correction?.held;
    const denied = [{ field: "full-name", reason: "claim-not-covered" }];
    expect((await officer.decide(id, "approve", { held, denied })).statusCode).toBe(200);
    expect((await dana.requests())[0]).toMatchObject({ status: "pending", deniedFields: [] });
    await privacy.work(id);
    expect(privacy.values.get(dana.accountId)).toMatchObject({
      fullName: "Dana Levi",
      phone: fields.phone,
    });
    expect((await dana.requests())[0]).toMatchObject({
      status: "completed",
      outcome: "fulfilled",
      partly: ["fields-denied"],
      deniedFields: denied,
    });
    expect(await officer.read(id)).toMatchObject({ deniedFields: denied });
    const mail = privacy.mails.at(-1);
    expect(mail?.subject).toBe("הנתונים שלך תוקנו חלקית");
    expect(mail?.text).toContain("לא תוקן: שם מלא. הסיבה: החוק אינו חל על מה שביקשת.");
  });

  it("a field that is denied may change meanwhile; denying all of them, or others, is refused", async () => {
    const dana = privacy.person();
    const id = await corrects(dana);
    const officer = privacy.officer();
    await officer.decide(id, "claim");
    const held = (await officer.read(id)).correction?.held;
    const name = { field: "full-name", reason: "no-match" };
    for (const unfit of [
      [name, { field: "phone", reason: "other" }],
      [{ field: "address", reason: "other" }],
    ]) {
      const refused = await officer.decide(id, "approve", { held, denied: unfit });
      expect(problemOf(refused)).toEqual({ status: 422, code: "fields_unfit" });
    }
    const suspected = [{ field: "phone", reason: "suspected-fraud" }];
    expect((await officer.decide(id, "approve", { held, denied: suspected })).statusCode).toBe(422);
    await officer.decide(id, "approve", { held, denied: [name] });
    const changed = { fullName: "Dana Cohen", phone: "", address: "", language: "en" } as const;
    privacy.values.set(dana.accountId, changed);
    await privacy.work(id);
    expect(privacy.values.get(dana.accountId)).toEqual({ ...changed, phone: fields.phone });
  });

  it("that was denied in part is decided as a whole again when a value has changed", async () => {
    const dana = privacy.person();
    const id = await corrects(dana);
    const officer = privacy.officer();
    const approve = async (denied: readonly object[]) => {
      await officer.decide(id, "claim");
      const held = (await officer.read(id)).correction?.held;
      await officer.decide(id, "approve", { held, ...(denied.length > 0 && { denied }) });
    };
    await approve([{ field: "full-name", reason: "other" }]);
    privacy.values.set(dana.accountId, {
      fullName: "Dana Levi",
      phone: "+972 50 555 0199",
      address: "",
      language: "en",
    });
    await privacy.work(id);
    expect(await officer.read(id)).toMatchObject({ needsDecision: true, deniedFields: [] });
    await approve([]);
    await privacy.work(id);
    expect((await dana.requests())[0]).toMatchObject({ outcome: "fulfilled", partly: [] });
    expect(privacy.values.get(dana.accountId)).toMatchObject(fields);
  });
});

describe("two officers", () => {
  it("never have the same request: the second one is refused", async () => {
    const id = await corrects(privacy.person());
    const [omar, noa] = [privacy.officer(), privacy.officer()];
    const claims = await Promise.all([omar.decide(id, "claim"), noa.decide(id, "claim")]);
    expect(claims.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const { lease } = await omar.read(id);
    const other = lease?.mine === true ? noa : omar;
    expect(problemOf(await other.decide(id, "claim")).code).toBe("assigned_elsewhere");
    expect(problemOf(await other.decide(id, "deny", { reason: "no-match" })).code).toBe(
      "not_assigned",
    );
    privacy.time.ms = startMs + 31 * 60_000;
    expect((await other.decide(id, "claim")).statusCode).toBe(200);
    privacy.time.ms = startMs;
  });

  it("do not decide on what they have not seen", async () => {
    const id = await corrects(privacy.person());
    const officer = privacy.officer();
    const { version } = await officer.read(id);
    await officer.decide(id, "claim");
    const url = `/api/console/privacy/requests/${id}/deny`;
    const late = await officer.call("POST", url, { payload: { version, reason: "no-match" } });
    expect(problemOf(late)).toEqual({ status: 409, code: "version_conflict" });
  });

  it("are both needed to deny a request as suspected fraud", async () => {
    const dana = privacy.person({ language: "he" });
    const id = await corrects(dana);
    const [omar, noa] = [privacy.officer(), privacy.officer()];
    await omar.decide(id, "claim");
    const first = await omar.decided(id, "deny", { reason: "suspected-fraud" });
    expect(first).toMatchObject({
      outcome: null,
      proposedDenial: { reason: "suspected-fraud", mine: true },
    });
    const alone = await omar.decided(id, "deny", { reason: "suspected-fraud" });
    expect(alone.outcome).toBeNull();
    await omar.decide(id, "release");
    await noa.decide(id, "claim");
    const second = await noa.decided(id, "deny", { reason: "suspected-fraud" });
    expect(second).toMatchObject({ outcome: "denied", denialReason: "suspected-fraud" });
    await privacy.work(id);
    expect(privacy.mails.at(-1)?.subject).toBe("בקשת הפרטיות שלך נדחתה");
    expect(await privacy.ledger.subjects.find(id)).toBeUndefined();
  });
});

describe("an officer", () => {
  it("does not decide about themself", async () => {
    const dana = privacy.person();
    const id = await corrects(dana);
    const herself = privacy.officer({ accountId: dana.accountId });
    expect((await herself.read(id)).own).toBe(true);
    expect(problemOf(await herself.decide(id, "claim"))).toEqual({
      status: 403,
      code: "own_request",
    });
  });

  it("announces an extension once; the due date stays", async () => {
    const id = await corrects(privacy.person());
    const officer = privacy.officer();
    await officer.decide(id, "claim");
    const { dueAt } = await officer.read(id);
    const extended = await officer.decided(id, "extend", { law: "gdpr" });
    expect(extended).toMatchObject({ extension: "gdpr", dueAt });
    await privacy.work(id);
    expect(privacy.mails.at(-1)).toMatchObject({
      subject: "Your privacy request needs more time",
    });
    const again = await officer.decide(id, "extend", { law: "gdpr" });
    expect(problemOf(again).code).toBe("not_possible_now");
  });

  it("holds a deletion with the law and a review, and releases it; its holder is notified", async () => {
    const dana = privacy.person();
    const { requestId } = requestIn(await dana.askForDeletion());
    await privacy.work(requestId);
    const officer = privacy.officer();
    const law = "Income Tax Ordinance, section 130";
    const far = await officer.decide(requestId, "hold", { law, reviewAt: at(91) });
    expect(problemOf(far).code).toBe("not_possible_now");
    const held = await officer.decided(requestId, "hold", { law, reviewAt: at(60) });
    expect(held.holds).toMatchObject([{ law, reviewAt: at(60), officerId: officer.accountId }]);
    await privacy.work(requestId);
    expect(privacy.mails.at(-1)).toMatchObject({
      subject: "The deletion of your account has to wait",
    });
    const names = async () =>
      (await timersOf(privacy.ledger.owner, requestId)).map(({ name }) => name);
    expect(await names()).not.toContain("privacy.erase");
    const released = await officer.decided(requestId, `holds/${held.holds[0]?.holdId}/release`);
    expect(released.holds).toEqual([]);
    expect(await names()).toContain("privacy.erase");
  });

  it("sees what is due first, what is late, and nothing of whose it is", async () => {
    const fresh = await openPrivacy();
    const dana = fresh.person();
    const first = requestIn(await dana.send("POST", "/access", {})).requestId;
    fresh.time.ms += dayMs;
    const second = requestIn(await fresh.person().send("POST", "/access", {})).requestId;
    const deletion = requestIn(await dana.askForDeletion()).requestId;
    const officer = fresh.officer();
    const queue = await officer.queue();
    expect(queue.requests.map(({ requestId }) => requestId)).toEqual([first, second, deletion]);
    expect(queue).toMatchObject({ open: 2, overdue: 0 });
    expect(JSON.stringify(queue)).not.toContain(dana.accountId);
    const number = second.slice(0, 8);
    expect((await officer.queue(`?number=${number}`)).requests).toMatchObject([
      { requestId: second },
    ]);
    fresh.time.ms += 21 * dayMs;
    expect(await officer.queue("?only=overdue")).toMatchObject({
      overdue: 1,
      requests: [{ requestId: first, overdue: true }],
    });
    await officer.decide(second, "claim");
    expect((await officer.queue("?only=mine")).requests).toMatchObject([{ requestId: second }]);
    const preview = await officer.call("GET", `/api/console/privacy/requests/${first}/preview`);
    expect(preview.json()).toMatchObject({
      stores: [{ store: "requests", items: 2 }],
      missing: [],
    });
    await fresh.close();
  });

  it("finds no request that does not exist, and an account holder finds no console", async () => {
    const url = `/api/console/privacy/requests/${randomUUID()}`;
    expect(problemOf(await privacy.officer().call("GET", url)).code).toBe("request_unknown");
    expect(problemOf(await privacy.person().call("GET", url)).code).toBe("forbidden");
  });
});
