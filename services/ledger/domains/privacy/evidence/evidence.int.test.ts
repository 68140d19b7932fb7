import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

import { openSignedLine, signingKey } from "@pro-talent/platform/crypto/signed-text";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import {
  certificatePurpose,
  ErasureCertificate,
  Evidence,
  evidencePurpose,
} from "@pro-talent/schemas/privacy/evidence";
import { strFromU8, strToU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { publishHeads } from "../../../heads/publish-heads.ts";
import { headKey } from "../../../heads/signed-head.ts";
import { openHorizon } from "../erase/backups.ts";
import { openJournal, writeEntry } from "../erase/journal.ts";
import { signedArchive } from "../fulfil/signed-archive.ts";
import * as facts from "../testing/facts.ts";
import { dayMs, openPrivacy, problemOf, requestIn } from "../testing/open-privacy.ts";
import { unpacked, verifyOffline } from "../testing/verify-offline.ts";

const register = "d".repeat(64);
const kept = [{ asset: "ledger.invoice", law: "israel-bookkeeping" }];

let privacy: Awaited<ReturnType<typeof openPrivacy>>;
let folder: string;
type Name = "LEDGER_HEADS_FILE" | "ERASURE_JOURNAL_FILE" | "ERASURE_JOURNAL_KEY";
let environment: Readonly<Record<Name, string>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-"));
  environment = {
    LEDGER_HEADS_FILE: join(folder, "heads.jsonl"),
    ERASURE_JOURNAL_FILE: join(folder, "journal.jsonl"),
    ERASURE_JOURNAL_KEY: Buffer.alloc(32, 7).toString("hex"),
  };
  privacy = await openPrivacy({ register, keptByLaw: kept }, environment);
});
afterAll(async () => {
  await privacy.close();
  await rm(folder, { recursive: true });
});

const publish = () =>
  publishHeads({
    file: environment.LEDGER_HEADS_FILE,
    key: headKey(Buffer.alloc(32, 3)),
    sql: privacy.ledger.sql,
    mailer: { send: async () => undefined },
    clock: () => privacy.time.ms,
  });

/** A deletion that was held, released, erased, and is complete with its last backup. */
async function erased({ isPurged = true } = {}): Promise<string> {
  const dana = privacy.person();
  const { requestId: id } = requestIn(await dana.askForDeletion());
  const officer = privacy.officer();
  const reviewAt = new Date(privacy.time.ms + 60 * dayMs).toISOString();
  await officer.decided(id, "hold", { law: "Income Tax Ordinance, סעיף 130", reviewAt });
  const [{ holdId } = { holdId: "" }] = (await officer.read(id)).holds;
  await officer.decided(id, `holds/${holdId}/release`);
  await privacy.work(id);
  await publish();
  privacy.time.ms += dayMs;
  await privacy.record(id, facts.waived);
  const claimed = { steps: ["links", "visits", "subject-key"], register };
  await privacy.record(id, { type: "EraseClaimed", data: claimed });
  const erasedAt = instantFromMs(privacy.time.ms);
  const journalKey = Buffer.alloc(32, 7);
  const { ERASURE_JOURNAL_FILE } = environment;
  const env = { ERASURE_JOURNAL_FILE, ERASURE_JOURNAL_KEY: journalKey };
  const [journal, horizon] = [openJournal(env), openHorizon(env)];
  if (journal === undefined || horizon === undefined) throw new Error("No journal");
  const named = { requestId: id, erasedAt, accountId: dana.accountId };
  const entry = { ...named, subjectIds: [id], visitorIds: [] };
  const { number, sha256 } = await writeEntry(journal, privacy.ledger.sql, entry);
  await privacy.record(id, { type: "JournalWritten", data: { entry: number, sha256 } });
  await privacy.record(id, facts.suppressed);
  await privacy.record(id, facts.stepFailed("links"));
  for (const step of claimed.steps) await privacy.record(id, facts.stepDone(step));
  await privacy.record(id, facts.scanClean);
  await publish();
  if (!isPurged) return id;
  privacy.time.ms += 40 * dayMs;
  const [oldestRestorableAt, checkedAt] = [privacy.time.ms - dayMs, privacy.time.ms].map((ms) =>
    instantFromMs(ms),
  );
  if (oldestRestorableAt === undefined || checkedAt === undefined) throw new Error("No time");
  const copy = { epoch: `epoch-${id.slice(0, 8)}`, destroyedAt: checkedAt };
  const purged = [
    { ...copy, copy: `set-${id.slice(0, 8)}`, madeAt: instantFromMs(Date.parse(erasedAt) - dayMs) },
    { ...copy, copy: "younger", madeAt: instantFromMs(Date.parse(erasedAt) + dayMs) },
  ];
  await horizon.append({ oldestRestorableAt, checkedAt, purged });
  privacy.time.ms += 14 * dayMs;
  await privacy
    .repeats()
    .find(({ what }) => what === "backups of what was erased")
    ?.run();
  await publish();
  return id;
}

const packOf = async (id: string, language = "en") => {
  const url = `/api/console/privacy/requests/${id}/evidence?language=${language}`;
  const answer = await privacy.officer().call("GET", url);
  expect(answer.headers["content-type"]).toBe("application/zip");
  return unzipSync(answer.rawPayload);
};
const textOf = (parts: Record<string, Uint8Array>, path: string): string =>
  strFromU8(parts[path] ?? new Uint8Array());
const publishedKey = async (): Promise<string> => {
  const answer = await privacy.app.inject({ url: "/api/privacy/keys" });
  return answer.json<{ keys: string[] }>().keys[0] ?? "";
};

const verify = (place: string, keyId: string): Promise<string> =>
  verifyOffline(join(place, "manifest.json"), keyId);

/** One place of each class of bytes in a file: Latin, digits, marks, Hebrew, and its end. */
function placesIn(text: string): readonly number[] {
  const classes = [/[a-z]/iu, /\d/u, /["{}[\],:<>#]/u, /[א-ת]/u];
  const found = classes.map((one) => text.search(one)).filter((index) => index >= 0);
  const bytes = found.map((index) => Buffer.byteLength(text.slice(0, index)));
  return [...new Set([...bytes, Buffer.byteLength(text) - 1])];
}

describe("the evidence pack of a deletion", () => {
  let id: string;
  beforeAll(async () => {
    id = await erased();
  });

  it("says who asked, what was decided, erased and proven, and nothing about the person", async () => {
    const parts = await packOf(id);
    const evidence = Evidence.parse(JSON.parse(textOf(parts, "evidence.json")));
    expect(evidence).toMatchObject({
      requestId: id,
      type: "delete",
      status: "completed",
      outcome: "fulfilled",
      identity: { method: "step-up" },
      holds: [{ law: "Income Tax Ordinance, סעיף 130" }],
      notices: [
        { notice: "scheduled", result: "sent" },
        { notice: "hold-released", result: "sent" },
      ],
      scans: [{ found: false }],
      journal: { entry: 1 },
      register: { atDecision: register, now: register },
    });
    expect(evidence.holds[0]?.releasedAt).not.toBeNull();
    expect(evidence.decisions.map(({ type }) => type)).toEqual(["HoldPlaced", "HoldReleased"]);
    expect(evidence.clocks.map(({ clock }) => clock)).toEqual([
      "identity",
      "due",
      "erase",
      "erase-waived",
      "backups",
      "hold-review",
    ]);
    expect(evidence.stores).toContainEqual({ store: "links", found: 1, left: 0, failures: 1 });
    expect(evidence.events.map(({ version }) => version)).toEqual(
      evidence.events.map((_, i) => i + 1),
    );
    const all = Object.values(parts).map((bytes) => strFromU8(bytes));
    expect(all.join("\n")).not.toMatch(/@example\.com|Dana Levi|found a job/u);
    const page = textOf(await packOf(id, "he"), "index.html");
    expect(page).toContain('lang="he" dir="rtl"');
    expect(page).not.toContain("<script");
  });

  it("is verified offline down to the published heads, and not with one byte of it changed", async () => {
    const parts = await packOf(id);
    const keyId = await publishedKey();
    expect(Object.keys(parts).toSorted()).toEqual([
      "VERIFY.txt",
      "backups.jsonl",
      "events.json",
      "evidence.json",
      "heads.jsonl",
      "index.html",
      "journal.jsonl",
      "manifest.json",
      "verify.mjs",
    ]);
    for (const path of ["journal.jsonl", "backups.jsonl"])
      expect(textOf(parts, path).split("\n")).toHaveLength(2);
    const proven = z.array(z.object({ proof: z.object({}).nullable() }));
    const chained = proven.parse(JSON.parse(textOf(parts, "events.json")));
    expect(chained.every(({ proof }) => proof !== null)).toBe(true);
    const place = await unpacked(parts);
    expect(await verify(place, keyId)).toContain("genuine: evidence pack");
    expect(await verify(place, signingKey(Buffer.alloc(32, 1)).id)).toContain("not signed");
    for (const [path, bytes] of Object.entries(parts)) {
      for (const at of placesIn(strFromU8(bytes))) {
        await writeFile(join(place, path), bytes.with(at, (bytes[at] ?? 0) ^ 1));
        const said = await verify(place, keyId);
        const expected = path === "manifest.json" ? "not signed" : `changed: ${path}`;
        expect(said, `${path} at ${at}`).toContain(expected);
      }
      await writeFile(join(place, path), bytes);
    }
    expect(await verify(place, keyId)).toContain("genuine");
  });

  it("that is signed anew with another history does not lead to the heads that were published", async () => {
    const parts = await packOf(id);
    const key = signingKey(Buffer.alloc(32, 9));
    const signedAnew = async (path: string, change: (text: string) => string) => {
      const changed = { ...parts, [path]: strToU8(change(textOf(parts, path))) };
      const files = Object.entries(changed).filter(([name]) => name !== "manifest.json");
      const madeAt = instantFromMs(privacy.time.ms);
      const archive = signedArchive(key, evidencePurpose, {
        requestId: id,
        madeAt,
        parts: files.map(([name, content]) => ({ path: name, content })),
      });
      return await verify(await unpacked(unzipSync(await buffer(archive))), key.id);
    };
    expect(await signedAnew("index.html", (page) => page)).toContain("genuine");
    const said = await signedAnew("events.json", (text) => text.replace("step-up", "mailed-code"));
    expect(said).toContain("not in the chain: event");
    const swapped = await signedAnew("events.json", (text) => text.replace("right ", "left "));
    expect(swapped).toContain("not in the chain: event");
    const purge = await signedAnew("backups.jsonl", (text) => text.replace("epoch-", "epoch+"));
    expect(purge).toContain(`not signed: the purge of set-${id.slice(0, 8)}`);
    const none = await signedAnew("backups.jsonl", () => "");
    expect(none).toContain("missing: the oldest backup that could be restored");
    const unjournalled = await signedAnew("journal.jsonl", (text) => text.replace('"', "'"));
    expect(unjournalled).toContain("missing: the entry of the erasure journal");
    const head = await signedAnew("heads.jsonl", (text) => text.replace('"epoch":1', '"epoch":2'));
    expect(head).toContain("not signed: the head at");
  });

  it("is for officers, and of requests that exist", async () => {
    const url = `/api/console/privacy/requests/${id}/evidence`;
    expect((await privacy.person().call("GET", url)).statusCode).toBe(403);
    const unknown = url.replace(id, "0f8fad5b-d9cb-469f-a165-70867728950e");
    expect(problemOf(await privacy.officer().call("GET", unknown)).code).toBe("request_unknown");
  });

  it("has a certificate for everyone who knows its number, once it is erased", async () => {
    const read = (number: string) =>
      privacy.app.inject({ url: `/api/privacy/certificates/${number}` });
    const { document, certificate } = z
      .object({ document: z.string(), certificate: ErasureCertificate })
      .parse((await read(id)).json());
    const keyId = await publishedKey();
    const signed = { keyId, purpose: certificatePurpose, contract: ErasureCertificate };
    expect(openSignedLine(document, signed)).toEqual(certificate);
    expect(certificate).toMatchObject({ requestId: id, kept, keyId });
    const { backups } = certificate;
    expect(backups.goneAt).not.toBeNull();
    expect(backups.oldestRestorableAt).not.toBeNull();
    expect(backups.overdue).toBe(false);
    // Not the younger copy, which never held the data.
    expect(backups.proof?.purged.map(({ copy }) => copy)).toEqual([`set-${id.slice(0, 8)}`]);
    expect(certificate.stores.map(({ left }) => left)).toEqual([0, 0, 0]);
    const dana = privacy.person();
    const running = requestIn(await dana.askForDeletion()).requestId;
    expect(problemOf(await read(running)).code).toBe("certificate_unknown");
  });

  it("without a record of the backups fails to be verified once ninety days are over, and so does its certificate", async () => {
    const begun = privacy.time.ms;
    const late = await erased({ isPurged: false });
    await publish();
    const certificateFile = async () => {
      const { body } = await privacy.app.inject({ url: `/api/privacy/certificates/${late}` });
      const { document } = z.object({ document: z.string() }).parse(JSON.parse(body));
      return { "manifest.json": strToU8(document) };
    };
    const keyId = await publishedKey();
    const said = async () => [
      await verify(await unpacked(await packOf(late)), keyId),
      await verify(await unpacked(await certificateFile()), keyId),
    ];
    expect(await said()).toEqual([
      expect.stringContaining("genuine: evidence pack"),
      expect.stringContaining("genuine: erasure certificate"),
    ]);
    privacy.time.ms = begun + 90 * dayMs;
    const overdue = "overdue: no proof that backups are gone\n";
    expect(await said()).toEqual([overdue, overdue]);
    expect(textOf(await packOf(late), "index.html")).toContain("Overdue: nothing is recorded");
  });
});
