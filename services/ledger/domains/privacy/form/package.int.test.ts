import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { openMailboxes } from "../testing/open-mailboxes.ts";
import { dayMs, problemOf } from "../testing/open-privacy.ts";

let platform: Awaited<ReturnType<typeof openMailboxes>>;
beforeAll(async () => {
  platform = await openMailboxes();
});
afterAll(() => platform.close());

const minuteMs = 60_000;

/** A copy of what is held about a mailbox, approved by one officer. */
async function ready(): Promise<{ email: string; requestId: string; token: string }> {
  const { newAddress, senders } = platform;
  const email = newAddress(true);
  const { requestId } = await senders.verified(email);
  await platform.work(requestId);
  const dana = platform.officer();
  await dana.decided(requestId, "claim");
  await dana.decided(requestId, "approve");
  await platform.work(requestId);
  return { email, requestId, token: senders.mailed(email).token };
}

async function filesOf(requestId: string): Promise<number> {
  let found = 0;
  for await (const { name } of platform.files.list("packages"))
    if (name.includes(requestId)) found += 1;
  return found;
}
const open = async (email: string, code?: string) => {
  const mailed = platform.senders.mailed(email);
  return await platform.senders.post("/package", {
    payload: { ...mailed, ...(code && { code }) },
  });
};
const newCode = async (token: string) => {
  const answer = await platform.senders.post("/code", { payload: { token } });
  await platform.sendMails();
  return answer;
};

describe("the copy of what is held about a mailbox", () => {
  let begun: number;
  beforeEach(() => {
    begun = platform.time.ms;
    return () => void (platform.time.ms = begun);
  });

  it("is opened with a mailed code, once, and names the address", async () => {
    const { email, token } = await ready();
    expect(platform.senders.mailsTo(email).at(-1)?.subject).toBe("The copy of your data is ready");
    // The code that verified the address opens nothing.
    const [, first = ""] =
      /\b(\d{8})\b/u.exec(platform.senders.mailsTo(email)[0]?.text ?? "") ?? [];
    const verifying = await platform.senders.post("/package", { payload: { token, code: first } });
    expect(problemOf(verifying).code).toBe("code_ended");
    const answer = await platform.senders.download(email);
    expect(answer.headers).toMatchObject({
      "content-type": "application/zip",
      "cache-control": "no-store",
    });
    const parts = unzipSync(answer.rawPayload);
    expect(strFromU8(parts["data.json"] ?? new Uint8Array())).toContain(email);
    expect(problemOf(await open(email)).code).toBe("code_ended");
    expect(await platform.senders.statusOf(token)).toMatchObject({
      package: { downloadsLeft: 4 },
    });
  });

  it("is not opened with a code after thirty minutes, nor with any once five were wrong", async () => {
    const { email, token } = await ready();
    await newCode(token);
    const { code } = platform.senders.mailed(email);
    platform.time.ms += 30 * minuteMs;
    expect(problemOf(await open(email)).code).toBe("code_ended");
    await newCode(token);
    const wrong = code === "00000000" ? "00000001" : "00000000";
    for (let guess = 0; guess < 5; guess += 1)
      expect(problemOf(await open(email, wrong)).code).toBe("code_wrong");
    expect(problemOf(await open(email)).code).toBe("code_ended");
    // A further code of the day has been spent: one verified the address.
    expect(problemOf(await newCode(token)).code).toBe("rate_limited");
    platform.time.ms += dayMs;
    expect((await platform.senders.download(email)).statusCode).toBe(200);
  });

  it("is downloaded five times, and not a sixth time", async () => {
    const { email, token } = await ready();
    const nextDay = async () => {
      platform.time.ms += dayMs;
      // The database counts the mails of a day by its own clock.
      await platform.ledger.owner`delete from ledger.mailbox_mail`;
    };
    for (let times = 0; times < 5; times += 1) {
      await nextDay();
      expect((await platform.senders.download(email)).statusCode).toBe(200);
    }
    await nextDay();
    expect(problemOf(await platform.senders.download(email)).code).toBe("package_ended");
    expect(await platform.senders.statusOf(token)).toMatchObject({ package: { downloadsLeft: 0 } });
  });

  it("is destroyed after fourteen days, with its key, its files and what was entered", async () => {
    const { email, requestId, token } = await ready();
    expect(await filesOf(requestId)).toBeGreaterThan(0);
    platform.time.ms += 14 * dayMs;
    await platform.work(requestId);
    expect(await filesOf(requestId)).toBe(0);
    expect(await platform.ledger.subjects.find(requestId)).toBeUndefined();
    const sealed = await platform.ledger.owner`
      select from ledger.event where key_id = ${requestId} and sealed is not null`;
    expect(sealed).toHaveLength(0);
    expect(problemOf(await open(email, "12345678")).code).toBe("package_ended");
    expect(await platform.senders.statusOf(token)).toMatchObject({
      status: "completed",
      outcome: "fulfilled",
      package: null,
    });
    expect(platform.subscribed.has(email)).toBe(true);
  });
});
