import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Mail } from "@pro-talent/platform/mail/mailer";
import { asRole } from "@pro-talent/platform/testing/engines";
import { runHere } from "@pro-talent/platform/testing/run-program";
import { LedgerHeads, type SignedHead } from "@pro-talent/schemas/ledger/heads";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { append } from "../kernel/append.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { buildTestApp } from "../testing/build-test-app.ts";
import { consentAppend } from "../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { HeadFile, readHeads } from "./head-file.ts";
import { readHeadSettings } from "./head-settings.ts";
import { LedgerRewritten, publishHeads } from "./publish-heads.ts";
import { headKey, isSigned, signHead } from "./signed-head.ts";

const secret = "7".repeat(64);
const key = headKey(Buffer.from(secret, "hex"));
const hourMs = 60 * 60 * 1000;
const start = Date.UTC(2026, 0, 5);

let ledger: TestLedger;
let directory: string;
let file: string;
let mails: Mail[];

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger.drop());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "heads-"));
  file = join(directory, "heads.jsonl");
  mails = [];
  await append(ledger.ledger, consentAppend());
  return () => rm(directory, { recursive: true });
});

const heads = (): Promise<SignedHead[]> => new HeadFile(file).read();
const publish = (atMs: number, officer?: string) =>
  publishHeads({
    file,
    key,
    sql: ledger.sql,
    clock: () => atMs,
    mailer: { send: async (mail) => void mails.push(mail) },
    ...(officer !== undefined && { officer }),
  });

/** What a superuser can do: the whole chain is computed anew, with another fact in it. */
async function rewrite(position: number): Promise<void> {
  await ledger.owner.unsafe(`begin; alter table ledger.event disable trigger user;
    update ledger.event set data = replace(data, 'customise', 'accept_all') where pos = ${position};
    do $$ declare e ledger.event; h bytea; begin
      select hash into h from ledger.event where pos = ${position} - 1;
      h := coalesce(h, decode(repeat('00', 32), 'hex'));
      for e in select * from ledger.event where pos >= ${position} order by pos loop
        update ledger.event set prev = h, hash = ledger.event_hash(h, e) where pos = e.pos returning hash into h;
      end loop;
      update ledger.head set hash = h;
    end $$;
    alter table ledger.event enable always trigger frozen;
    alter table ledger.event enable always trigger frozen_truncate; commit`);
}

describe("signed heads", () => {
  it("are published when the ledger grew and an hour has passed", async () => {
    await publish(start);
    await append(ledger.ledger, consentAppend());
    await publish(start + hourMs - 1);
    expect(await heads()).toHaveLength(1);
    await publish(start + hourMs);
    await publish(start + 3 * hourMs);
    const published = await heads();
    expect(published).toHaveLength(2);
    const rows = await ledger.owner<{ hash: string }[]>`
      select encode(hash, 'hex') as hash from ledger.event
       where pos in (${published[0]?.position ?? 0}, ${published[1]?.position ?? 0}) order by pos`;
    expect(published.map(({ hash }) => ({ hash }))).toEqual(rows);
    expect(published.every((head) => isSigned(head, "head", [key.id]))).toBe(true);
  });

  it("survive a crash while one is written", async () => {
    await publish(start);
    const whole = await readFile(file, "utf8");
    await appendFile(file, whole.slice(0, 40));
    expect(await heads()).toHaveLength(1);
    await append(ledger.ledger, consentAppend());
    await publish(start + hourMs);
    expect(readHeads(await readFile(file, "utf8"))).toHaveLength(2);
    expect((await readFile(file, "utf8")).startsWith(whole)).toBe(true);
  });

  it("are not given to a ledger that was rewritten since the last one", async () => {
    await publish(start);
    const [last] = await heads();
    await rewrite(last?.position ?? 0);
    await append(ledger.ledger, consentAppend());
    await expect(publish(start + hourMs)).rejects.toThrow(LedgerRewritten);
    expect(await heads()).toHaveLength(1);
  });

  it("are mailed to the officer once a day", async () => {
    for (const hours of [0, 1, 23, 24, 25]) {
      await append(ledger.ledger, consentAppend());
      await publish(start + hours * hourMs, "officer@talent.example");
    }
    expect(mails.map(({ to }) => to.address)).toEqual(Array(2).fill("officer@talent.example"));
    const [first] = await heads();
    expect(mails[0]?.text).toContain(first?.signature);
  });

  it("name what was signed: nothing of it can be changed, nor passed as another statement", () => {
    const head = signHead(key, "head", {
      epoch: 1,
      position: 5,
      hash: "a".repeat(64),
      at: instantFromMs(start),
    });
    expect(isSigned(head, "head", [key.id])).toBe(true);
    const other = headKey(Buffer.alloc(32, 1));
    for (const changed of [
      { ...head, position: 6 },
      { ...head, epoch: 2 },
      { ...head, hash: "b".repeat(64) },
      { ...head, keyId: other.id },
    ]) {
      expect(isSigned(changed, "head", [key.id, other.id])).toBe(false);
    }
    expect(isSigned(head, "verified", [key.id])).toBe(false);
    expect(isSigned(head, "head", [other.id])).toBe(false);
  });

  it("need a key when there is a file", () => {
    expect(readHeadSettings({ LEDGER_HEADS_FILE: "" })).toBeUndefined();
    expect(() => readHeadSettings({ LEDGER_HEADS_FILE: "x" })).toThrow("LEDGER_HEAD_SIGNING_KEY");
  });

  it("are public", async () => {
    await publish(start);
    const app = await buildTestApp(ledger, { environment: { LEDGER_HEADS_FILE: file } });
    const answer = await app.inject({ method: "GET", url: "/api/ledger/heads" });
    await app.close();
    const published = LedgerHeads.parse(answer.json());
    expect(published).toEqual({ algorithm: "Ed25519", keys: [key.id], heads: await heads() });
    expect(readHeads(answer.body)).toEqual(await heads());
  });
});

describe("ledger:verify", () => {
  const verify = (...args: string[]) =>
    runHere(new URL("../verifier/verify.cli.ts", import.meta.url), args, {
      DATABASE_VERIFIER_URL: asRole(ledger.ownerUrl, "ledger_verifier"),
      LEDGER_HEAD_SIGNING_KEY: secret,
    });

  it("finds by a head that everything was computed anew, and that the end is gone", async () => {
    await publish(start);
    expect((await verify("--head", file)).output).toContain(
      "1 signed heads compared\nThe ledger holds.",
    );
    const [head] = await heads();
    await rewrite(head?.position ?? 0);
    const found = await verify("--head", file);
    expect(found.output).toContain(`position ${head?.position}: rewritten (`);
    expect(found.code).toBe(1);
    const beyond = signHead(key, "head", { ...(head ?? fail()), position: 900 });
    await writeFile(file, canonicalJson(beyond));
    expect((await verify("--head", file)).output).toContain("the ledger ends before it");
  });

  it("refuses a head that was changed", async () => {
    await publish(start);
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"epoch":1', '"epoch":2'));
    const { code, errors } = await verify("--head", file);
    expect([code, errors]).toEqual([1, expect.stringContaining("signed by no known key")]);
  });

  it("checks only what is new since a verification that found nothing", async () => {
    const since = join(directory, "verified.json");
    const whole = await verify("--since", since);
    expect(whole.output).toContain("The ledger holds.");
    await append(ledger.ledger, consentAppend());
    await append(ledger.ledger, consentAppend());
    const fresh = await verify("--since", since);
    expect(fresh.output).toMatch(/^2 events up to position/);
    const again = await verify("--since", since);
    expect(again.output).toMatch(/^0 events up to position/);
    await publish(start);
    await writeFile(since, canonicalJson((await heads())[0]));
    expect((await verify("--since", since)).errors).toContain("not written by a verification");
  });
});

function fail(): never {
  throw new Error("There is no head");
}
