import { crc32, deflateSync } from "node:zlib";

import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import {
  type AccountsUnderTest,
  openAccountsUnderTest,
  outcomeOf,
} from "./testing/accounts-under-test.ts";

let accounts: AccountsUnderTest;
beforeAll(async () => {
  accounts = await openAccountsUnderTest();
});
afterAll(() => accounts.drop());
beforeEach(() => accounts.mails());

describe("an address that is compared as the one of an account, but is another mailbox", () => {
  // The Kelvin sign becomes k in lower case; some mail servers know upper and lower case as two mailboxes.
  const spellings = ["\u212Ai\u212A@example.com", "KIK@example.com"];

  it.each(spellings)("receives no link that resets its password: %s", async (spelling) => {
    await accounts.join("kik@example.com").catch(() => undefined);
    const body = { email: spelling, language: "en" };
    expect((await accounts.call("POST /api/account/password/forgotten", { body })).statusCode).toBe(
      202,
    );
    const mails = await accounts.mails();
    expect(mails.map(({ to }) => to.address)).toEqual(["kik@example.com"]);
  });

  it.each(spellings)("does not learn that there is an account: %s", async (spelling) => {
    await accounts.join("kik@example.com").catch(() => undefined);
    const body = { email: spelling, language: "en" };
    await accounts.call("POST /api/account/registration", { body });
    expect((await accounts.mails()).map(({ to }) => to.address)).toEqual(["kik@example.com"]);
  });
});

describe("what counts once", () => {
  it("11: a link that resets the password, although ten use it at the same moment", async () => {
    await accounts.join("once@example.com");
    await accounts.call("POST /api/account/password/forgotten", {
      body: { email: "once@example.com", language: "en" },
    });
    const [mail] = await accounts.mails();
    const reset = (number: number) =>
      accounts.call("POST /api/account/password/reset", {
        body: { token: mail?.token, password: `quiet-lantern-${number}` },
      });
    const answers = await Promise.all(Array.from({ length: 10 }, (_one, number) => reset(number)));
    expect(answers.map(outcomeOf).filter(([status]) => status === 200)).toHaveLength(1);
    const passwords = await Promise.all(
      answers.map(async (_answer, number) => {
        const body = { email: "once@example.com", password: `quiet-lantern-${number}` };
        return (await accounts.call("POST /api/account/sign-in", { body })).statusCode;
      }),
    );
    expect(passwords.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it("a ticket for a download, although ten use it at the same moment", async () => {
    const token = await accounts.join("ticket@example.com");
    const path = "/api/account/photo";
    const picture = await sharp({
      create: { width: 40, height: 40, channels: 3, background: "#357" },
    })
      .png()
      .toBuffer();
    const body = { picture: picture.toString("base64") };
    await accounts.call(`PUT ${path}`, { token, body });
    const asked = await accounts.call("POST /api/account/tickets", { token, body: { path } });
    const { ticket } = asked.json<{ ticket: string }>();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => accounts.call(`GET ${path}?ticket=${ticket}`)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });
});

/** A PNG of this size in a few kilobytes. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([head, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const row = Math.ceil(width / 8) + 1;
  const pixels = deflateSync(Buffer.alloc(row * Math.min(height, 2000)));
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("a picture that is more than a photo", () => {
  const put = async (token: string, picture: Buffer) =>
    outcomeOf(
      await accounts.call("PUT /api/account/photo", {
        token,
        body: { picture: picture.toString("base64") },
      }),
    );

  it("is refused when it unpacks to gigabytes, or draws by a script or a reference", async () => {
    const token = await accounts.join("bomb@example.com");
    const svg = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>
      <svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&x;</text></svg>`;
    for (const picture of [bomb(60_000, 60_000), bomb(1_000_000, 51), Buffer.from(svg)]) {
      expect(await put(token, picture)).toEqual([422, "photo_unreadable"]);
    }
  });

  it("loses what was appended to it or hidden in it", async () => {
    const token = await accounts.join("polyglot@example.com");
    const drawn = sharp({ create: { width: 64, height: 64, channels: 3, background: "#357" } });
    const jpeg = await drawn.withXmp("<x:xmpmeta>SECRET-PLACE</x:xmpmeta>").jpeg().toBuffer();
    const page = Buffer.from("<script>alert(document.domain)</script>PK\u0003\u0004");
    expect(await put(token, Buffer.concat([jpeg, page]))).toEqual([200, "done"]);
    const photo = await accounts.call("GET /api/account/photo", { token });
    for (const hidden of ["SECRET-PLACE", "<script>"]) {
      expect(photo.rawPayload.includes(hidden)).toBe(false);
    }
    expect(photo.headers["x-content-type-options"]).toBe("nosniff");
  });
});

describe("a request from elsewhere", () => {
  it("is refused from a page without an origin, whatever its headers pretend", async () => {
    const body = { email: "once@example.com", password: "quiet-lantern-1" };
    for (const origin of ["null", "https://talent.example.evil.example", "http://talent.example"]) {
      const headers = { origin, "x-forwarded-host": "talent.example", host: "talent.example" };
      const answer = await accounts.call("POST /api/account/sign-in", { body, headers });
      expect(outcomeOf(answer)).toEqual([403, "forbidden"]);
    }
  });

  it("is of one network, although each names another in X-Forwarded-For", async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 55; attempt += 1) {
      const answer = await accounts.call("POST /api/account/sign-in", {
        body: { email: `guess-${attempt}@example.com`, password: "quiet-lantern-1" },
        headers: { "x-forwarded-for": `203.0.113.${attempt}`, "x-real-ip": `203.0.113.${attempt}` },
        ip: "198.51.100.7",
      });
      statuses.push(answer.statusCode);
    }
    expect(statuses.slice(0, 50).every((status) => status === 422)).toBe(true);
    expect(statuses.slice(50).every((status) => status === 429)).toBe(true);
  });
});
