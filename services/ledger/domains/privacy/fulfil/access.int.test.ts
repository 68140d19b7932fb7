import { createHash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { openSignedLine, signingKey } from "@pro-talent/platform/crypto/signed-text";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import {
  ConsentReceiptDocument,
  receiptPurpose,
} from "@pro-talent/schemas/privacy/consent-receipt";
import { manifestPurpose, PackageManifest } from "@pro-talent/schemas/privacy/data-package";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { ConsentSource, HeldSource } from "../../../held.ts";
import { dayMs, openPrivacy, problemOf, requestIn, timersOf } from "../testing/open-privacy.ts";
import { unpacked, verifyOffline } from "../testing/verify-offline.ts";

/** A store of a domain that can be away. */
let isAway = false;
const links: HeldSource = {
  section: "links",
  collect: async () => {
    if (isAway) throw new Error("The store is away");
    return [
      [{ field: "label", text: "=HYPERLINK(1)" }],
      [{ field: "label", text: 'Acme, "Bnei Brak" <b>שלום</b>\u202E' }],
    ];
  },
  files: async function* files() {
    yield { name: "../../קורות חיים.pdf", content: Buffer.from("my CV") };
    yield { name: "../../קורות חיים.pdf", content: Buffer.from("my other CV") };
  },
};

const agreed: ConsentSource = async (_context, { accountId }) => [
  {
    subject: "terms",
    decision: "granted",
    version: "2026-01-01",
    language: "he",
    textHash: "a".repeat(64),
    // One event for each person.
    eventId: accountId,
    position: 1,
    occurredAt: instantFromMs(Date.UTC(2026, 0, 2)),
  },
];

let privacy: Awaited<ReturnType<typeof openPrivacy>>;
let startMs: number;
beforeAll(async () => {
  privacy = await openPrivacy({ held: [links], consents: [agreed] });
  startMs = privacy.time.ms;
});
afterAll(() => privacy.close());

type Person = ReturnType<typeof privacy.person>;

async function approved(dana: Person): Promise<string> {
  const { requestId } = requestIn(await dana.send("POST", "/access", {}));
  const officer = privacy.officer();
  await officer.decide(requestId, "claim");
  expect((await officer.decide(requestId, "approve")).statusCode).toBe(200);
  return requestId;
}

async function ready(dana: Person): Promise<string> {
  const requestId = await approved(dana);
  await privacy.work(requestId);
  return requestId;
}

const publishedKey = async (): Promise<string> => {
  const answer = await privacy.app.inject({ url: "/api/privacy/keys" });
  return answer.json<{ keys: string[] }>().keys[0] ?? "";
};

const download = (dana: Person, id: string) => dana.send("GET", `/${id}/package`);

describe("a copy of all data", () => {
  it("is asked for once, confirmed by mail, and collected when an officer approves", async () => {
    const dana = privacy.person();
    const first = requestIn(await dana.send("POST", "/access", {}));
    expect(first).toMatchObject({ type: "access", status: "pending", outcome: null });
    expect(requestIn(await dana.send("POST", "/access", {}))).toEqual(first);
    await privacy.work(first.requestId);
    expect(privacy.mails.at(-1)).toMatchObject({
      subject: "We have received your privacy request",
    });
    const officer = privacy.officer();
    await officer.decide(first.requestId, "claim");
    await officer.decide(first.requestId, "approve");
    await privacy.work(first.requestId);
    const [request] = await dana.requests();
    expect(request).toMatchObject({
      status: "completed",
      outcome: "fulfilled",
      package: { expiresAt: new Date(startMs + 14 * dayMs).toISOString(), downloadsLeft: 5 },
    });
    expect(privacy.mails.at(-1)).toMatchObject({ subject: "The copy of your data is ready" });
    const { steps } = await officer.read(first.requestId);
    expect(steps).toContainEqual({ step: "links", state: "done", attempts: 0, found: 2 });
    expect(steps).toContainEqual({ step: "files", state: "done", attempts: 0, found: 2 });
  });

  it("holds every section as page, JSON and CSV, the files, and a signed manifest of all", async () => {
    const dana = privacy.person({ language: "he" });
    const answer = await download(dana, await ready(dana));
    expect(answer.headers["content-type"]).toBe("application/zip");
    expect(answer.headers["content-disposition"]).toContain("pro-talent-data.zip");
    const parts = unzipSync(answer.rawPayload);
    expect(Object.keys(parts).toSorted()).toEqual([
      "VERIFY.txt",
      "csv/consents.csv",
      "csv/links.csv",
      "csv/requests.csv",
      "data.json",
      "files/001 _.._קורות חיים.pdf",
      "files/002 _.._קורות חיים.pdf",
      "index.html",
      "manifest.json",
      "processing.json",
      "receipts/consent-1.json",
      "verify.mjs",
    ]);
    const page = strFromU8(parts["index.html"] ?? new Uint8Array());
    expect(page).toContain('lang="he" dir="rtl"');
    expect(page).toContain("&lt;b&gt;שלום&lt;/b&gt;");
    expect(page).not.toContain("<script");
    const table = strFromU8(parts["csv/links.csv"] ?? new Uint8Array());
    expect(table).toContain("'=HYPERLINK(1)");
    expect(table).toContain('"Acme, ""Bnei Brak"" <b>שלום</b>\u202E"');

    const keyId = await publishedKey();
    const line = strFromU8(parts["manifest.json"] ?? new Uint8Array());
    const signed = { keyId, purpose: manifestPurpose, contract: PackageManifest };
    const manifest = openSignedLine(line, signed);
    expect(manifest.files.map(({ path }) => path).toSorted()).toEqual(
      Object.keys(parts)
        .filter((path) => path !== "manifest.json")
        .toSorted(),
    );
    for (const { path, sha256 } of manifest.files)
      expect(
        createHash("sha256")
          .update(parts[path] ?? "")
          .digest("hex"),
      ).toBe(sha256);
    const other = signingKey(Buffer.alloc(32, 1)).id;
    expect(() => openSignedLine(line, { ...signed, keyId: other })).toThrow("was changed");
  });

  it("is verified offline, and not any more when one byte of it is changed", async () => {
    const dana = privacy.person();
    const parts = unzipSync((await download(dana, await ready(dana))).rawPayload);
    const keyId = await publishedKey();
    const folder = await unpacked(parts);
    const manifest = join(folder, "manifest.json");
    const receipt = join(folder, "receipts/consent-1.json");
    expect(await verifyOffline(manifest, keyId)).toContain("genuine: data package");
    expect(await verifyOffline(receipt, keyId)).toContain("genuine: consent receipt");
    expect(await verifyOffline(receipt, signingKey(Buffer.alloc(32, 1)).id)).toContain(
      "not signed",
    );
    for (const [path, bytes] of Object.entries(parts)) {
      const at = Math.floor(bytes.length / 2);
      const changed = bytes.with(at, (bytes[at] ?? 0) ^ 1);
      await writeFile(join(folder, path), changed);
      const expected = path === "manifest.json" ? "not signed" : `changed: ${path}`;
      expect(await verifyOffline(manifest, keyId)).toContain(expected);
      const ofReceipt = path.startsWith("receipts/") ? "not signed" : "genuine";
      expect(await verifyOffline(receipt, keyId)).toContain(ofReceipt);
      await writeFile(join(folder, path), bytes);
    }
    await writeFile(join(folder, "files/added.txt"), "");
    expect(await verifyOffline(manifest, keyId)).toContain("not part of it: files/added.txt");
    await rm(folder, { recursive: true });
  });

  it("is downloaded five times at most, by its holder alone, after a fresh sign-in", async () => {
    const dana = privacy.person();
    const id = await ready(dana);
    expect(problemOf(await download(privacy.person(), id)).code).toBe("request_unknown");
    const tired = privacy.person({ signedInMs: dayMs });
    expect(problemOf(await download(tired, id)).code).toBe("step_up_required");
    const answers = await Promise.all(Array.from({ length: 9 }, () => download(dana, id)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5);
    expect(answers.filter(({ statusCode }) => statusCode === 410)).toHaveLength(4);
    expect((await dana.requests())[0]?.package?.downloadsLeft).toBe(0);
  });

  it("is destroyed after 14 days: its key, its file, and what was sealed", async () => {
    const dana = privacy.person();
    const id = await ready(dana);
    const stored = async () => {
      const names: string[] = [];
      for await (const { name } of privacy.files.list("packages")) names.push(name);
      return names.filter((name) => name.includes(id));
    };
    expect(await stored()).toHaveLength(1);
    privacy.time.ms = startMs + 14 * dayMs;
    await privacy.work(id);
    privacy.time.ms = startMs;
    expect(await stored()).toEqual([]);
    expect(problemOf(await download(dana, id)).code).toBe("package_ended");
    const sealed = await privacy.ledger.owner`
      select from ledger.event where key_id = ${id} and sealed is not null`;
    expect(sealed).toHaveLength(0);
    expect(await privacy.ledger.subjects.find(id)).toBeUndefined();
  });

  it("waits for a store that is away, tries again, and goes to an officer after five attempts", async () => {
    const dana = privacy.person();
    isAway = true;
    const id = await approved(dana);
    await privacy.work(id);
    expect((await dana.requests())[0]?.status).toBe("pending");
    expect(await timersOf(privacy.ledger.owner, id)).toContainEqual(
      expect.objectContaining({ name: "privacy.work", at: startMs + 60_000 }),
    );
    privacy.time.ms = startMs + 5 * dayMs;
    await privacy.work(id);
    for (let attempt = 3; attempt <= 5; attempt += 1) {
      privacy.time.ms += 2 * dayMs;
      await privacy.work(id);
    }
    expect((await dana.requests())[0]?.status).toBe("failed");
    isAway = false;
    const officer = privacy.officer();
    expect((await officer.queue("?only=stalled")).requests).toMatchObject([{ requestId: id }]);
    await officer.decide(id, "retry");
    await privacy.work(id);
    privacy.time.ms = startMs;
    expect((await dana.requests())[0]?.status).toBe("completed");
  });

  it("can be withdrawn until it is ready", async () => {
    const dana = privacy.person();
    const { requestId } = requestIn(await dana.send("POST", "/access", {}));
    const other = privacy.person();
    const foreign = await other.send("POST", `/${requestId}/withdraw`, {});
    expect(problemOf(foreign).code).toBe("request_unknown");
    const withdrawn = requestIn(await dana.send("POST", `/${requestId}/withdraw`, {}));
    expect(withdrawn).toMatchObject({ status: "completed", outcome: "withdrawn" });
    const again = await dana.send("POST", `/${await ready(dana)}/withdraw`, {});
    expect(problemOf(again).code).toBe("not_possible_now");
  });
});

describe("consents", () => {
  it("are listed with a receipt each, for their holder alone", async () => {
    const dana = privacy.person();
    await dana.send("POST", "/access", {});
    const listed = await dana.call("GET", "/api/privacy/consents");
    const { consents } = listed.json<{ consents: { receiptId: string }[] }>();
    expect(consents).toMatchObject([{ subject: "terms", version: "2026-01-01", language: "he" }]);
    const path = `/api/privacy/consents/${consents[0]?.receiptId}/receipt`;
    const receipt = await dana.call("GET", path);
    const opened = openSignedLine(receipt.body, {
      keyId: await publishedKey(),
      purpose: receiptPurpose,
      contract: ConsentReceiptDocument,
    });
    expect(opened).toMatchObject({ accountId: dana.accountId, position: 1, subject: "terms" });
    expect(problemOf(await privacy.person().call("GET", path)).code).toBe("receipt_unknown");
    const unknown = `/api/privacy/consents/${dana.accountId}/receipt`;
    expect(problemOf(await dana.call("GET", unknown)).code).toBe("receipt_unknown");
  });
});
