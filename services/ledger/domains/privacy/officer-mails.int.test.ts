import { afterEach, beforeEach, expect, it } from "vitest";

import { dayMs, openPrivacy, requestIn } from "./testing/open-privacy.ts";

let privacy: Awaited<ReturnType<typeof openPrivacy>>;
beforeEach(async () => {
  privacy = await openPrivacy();
});
afterEach(() => privacy.close());

/** Asks for a copy of all data on Sunday, 1 March 2026, at 11:00 in Jerusalem. */
const asks = async (): Promise<string> =>
  requestIn(await privacy.person().send("POST", "/access", {})).requestId;

/** Lets time pass to a day after receipt, and does what is due. @returns the mails to officers */
async function onDay(days: number, requestId: string) {
  privacy.time.ms = Date.UTC(2026, 2, 1, 9) + days * dayMs;
  const before = privacy.mails.length;
  await privacy.work(requestId);
  return privacy.mails.slice(before).filter(({ id }) => id.startsWith("privacy-day-"));
}

it("officers are warned of a request that waits: first who has it, then all of them", async () => {
  const [dana, omar] = [privacy.officer(), privacy.officer({ language: "he" })];
  const requestId = await asks();
  await dana.decided(requestId, "claim");
  expect(await onDay(13, requestId)).toEqual([]);
  const toDana = { address: `${dana.accountId}@example.com` };
  const toOmar = { address: `${omar.accountId}@example.com` };
  expect(await onDay(14, requestId)).toMatchObject([
    { to: toDana, subject: "A privacy request is due in a week" },
  ]);
  expect(await onDay(18, requestId)).toMatchObject([
    { to: toDana, subject: "A privacy request is due in three days" },
    { to: toOmar, subject: "בקשת פרטיות שמועד היעד שלה בעוד שלושה ימים" },
  ]);
  const last = await onDay(20, requestId);
  expect(last).toMatchObject([
    { to: toDana, subject: "Urgent: a privacy request is due tomorrow" },
    { to: toOmar, subject: "דחוף: בקשת פרטיות שמועד היעד שלה מחר" },
  ]);
  expect(last[0]?.text).toContain("March 22, 2026");
  expect(last[1]?.text).toContain("22 במרץ 2026");
  for (const { text } of last) expect(text).toContain(`/console/privacy/${requestId}`);
  expect(await onDay(21, requestId)).toEqual([]);
});

it("a request that no officer has taken is made known to all, and never to its own holder", async () => {
  const holder = privacy.person();
  const [own, other] = [privacy.officer({ accountId: holder.accountId }), privacy.officer()];
  const { requestId } = requestIn(await holder.send("POST", "/access", {}));
  const [first, ...more] = await onDay(14, requestId);
  expect(first?.to.address).toBe(`${other.accountId}@example.com`);
  expect(more).toEqual([]);
  expect(own.accountId).toBe(holder.accountId);
});

it("warnings are sent in the morning, at eight in Jerusalem", async () => {
  privacy.officer();
  const requestId = await asks();
  const at = (hours: number) => onDay(14 + (hours - 11) / 24, requestId);
  expect(await at(7.9)).toEqual([]);
  expect(await at(8)).toHaveLength(1);
});

it("a decision ends the warnings", async () => {
  const dana = privacy.officer();
  const requestId = await asks();
  await dana.decided(requestId, "claim");
  await dana.decided(requestId, "deny", { reason: "no-match" });
  for (const day of [14, 18, 20]) expect(await onDay(day, requestId)).toEqual([]);
});

it("a warning that cannot be sent, or has no officer to go to, is tried again", async () => {
  const requestId = await asks();
  expect(await onDay(14, requestId)).toEqual([]);
  privacy.officer();
  expect(await onDay(14.5, requestId)).toHaveLength(1);
});

it("a mailbox of an officer that is closed keeps no warning from the others", async () => {
  const [gone, dana] = [privacy.officer(), privacy.officer()];
  privacy.refuse(`${gone.accountId}@example.com`);
  const requestId = await asks();
  const sent = await onDay(14, requestId);
  expect(sent.map(({ to }) => to.address)).toEqual([`${dana.accountId}@example.com`]);
  expect(await onDay(15, requestId)).toEqual([]);
});
