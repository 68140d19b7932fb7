import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { dkimEnv, type DkimKey, readDkimKey } from "./dkim.ts";
import { connectMailer, type Mail } from "./mailer.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "./testing/start-scripted-smtp.ts";
import { verifyDkim } from "./testing/verify-dkim.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pemOf = (key: KeyObject): string =>
  key.export({ type: key.type === "public" ? "spki" : "pkcs8", format: "pem" }).toString();
const publicKey = pemOf(pair.publicKey);

let smtp: ScriptedSmtp;
let folder: string;
const file = (name: string): string => join(folder, name);
beforeAll(async () => {
  smtp = await startScriptedSmtp();
  folder = await mkdtemp(join(tmpdir(), "dkim-"));
  const keys = {
    "key.pem": pair.privateKey,
    "public.pem": pair.publicKey,
    "short.pem": generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey,
    "other.pem": generateKeyPairSync("ed25519").privateKey,
  };
  for (const [name, key] of Object.entries(keys)) await writeFile(file(name), pemOf(key));
});
afterEach(() => smtp.forget());
afterAll(async () => {
  await smtp.stop();
  await rm(folder, { recursive: true });
});

const mail: Mail = {
  id: "newsletter-1",
  to: { name: "נועה", address: "noa@example.com" },
  subject: "מה חדש  ב-Pro Talent",
  text: "Hello \n\n.a line with a dot\n\n\n",
  html: "<p>שלום   לכולם</p>\n",
  language: "he",
  list: { label: "newsletter", name: "Newsletter" },
  unsubscribe: { url: "https://talent.example/api/newsletter/unsubscribe?token=abc" },
};

async function sent(dkim?: DkimKey): Promise<Buffer> {
  const from = { name: "Pro Talent", address: "news@talent.example" };
  const mailer = connectMailer({ smtpUrl: smtp.url, from, ...(dkim && { dkim }) });
  await mailer.send(mail);
  await mailer.close();
  return smtp.accepted()[0]?.raw ?? Buffer.alloc(0);
}

const settings = (source: Record<string, string>) => z.object(dkimEnv).parse(source);

describe("a mail with a key", () => {
  const key = () =>
    readDkimKey(
      settings({ MAIL_DKIM_SELECTOR: "mail2026", MAIL_DKIM_KEY_FILE: file("key.pem") }),
      "news@talent.example",
    );

  test("is signed for the sender's domain, its link to unsubscribe included", async () => {
    const raw = await sent(key());
    const tags = verifyDkim(raw, publicKey);
    expect(tags).toMatchObject({ d: "talent.example", s: "mail2026" });
    const covered = tags?.["h"]?.toLowerCase().split(":");
    for (const name of ["from", "to", "subject", "list-unsubscribe", "list-unsubscribe-post"]) {
      expect(covered).toContain(name);
    }
  });

  test("does not verify when anything of it is changed", async () => {
    const text = (await sent(key())).toString("latin1");
    const changes = [
      ["token=abc", "token=abd"],
      ["Pro Talent <news@", "Pro Talent <mews@"],
      ["One-Click", "Two-Click"],
      ["a line with a dot", "a line with a dog"],
    ] as const;
    for (const [from, to] of changes) {
      expect(text).toContain(from);
      const changed = Buffer.from(text.replace(from, to), "latin1");
      expect([from, verifyDkim(changed, publicKey)]).toEqual([from, undefined]);
    }
  });
});

test("a mail without a key is not signed", async () => {
  expect(readDkimKey(settings({ MAIL_DKIM_SELECTOR: "" }), "a@b.example")).toBeUndefined();
  expect((await sent()).toString("latin1")).not.toMatch(/dkim-signature/i);
});

test("another domain than the sender's can sign", () => {
  const found = readDkimKey(
    settings({
      MAIL_DKIM_SELECTOR: "s",
      MAIL_DKIM_KEY_FILE: file("key.pem"),
      MAIL_DKIM_DOMAIN: "mail.talent.example",
    }),
    "news@talent.example",
  );
  expect(found?.domain).toBe("mail.talent.example");
});

test.each([
  ["a file that is missing", "none.pem", "MAIL_DKIM_KEY_FILE is no file"],
  ["a public key", "public.pem", "MAIL_DKIM_KEY_FILE is no file"],
  ["a key that is too short", "short.pem", "at least 2048 bits"],
  ["a key of another kind", "other.pem", "an RSA key"],
])("%s ends the start, and its content is not shown", (_what, name, message) => {
  const env = settings({ MAIL_DKIM_SELECTOR: "s", MAIL_DKIM_KEY_FILE: file(name) });
  expect(() => readDkimKey(env, "a@b.example")).toThrow(message);
});

test("a selector without a key, or a key without a selector, ends the start", () => {
  for (const one of [{ MAIL_DKIM_SELECTOR: "s" }, { MAIL_DKIM_KEY_FILE: "/key.pem" }]) {
    expect(() => readDkimKey(settings(one), "a@b.example")).toThrow("belong together");
  }
});
