import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { openSignedLine } from "@pro-talent/platform/crypto/signed-text";
import { Instant } from "@pro-talent/schemas/primitives/instant";
import { copyReviewCalls } from "@pro-talent/schemas/privacy/copy-review-calls";
import { manifestPurpose, PackageManifest } from "@pro-talent/schemas/privacy/data-package";
import type { HeldRecord } from "@pro-talent/schemas/privacy/held-data";
import type { Redaction } from "@pro-talent/schemas/privacy/redaction";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { HeldSource } from "../../../held.ts";
import { filesWithText } from "../testing/byte-search.ts";
import { dayMs, openPrivacy, problemOf, requestIn } from "../testing/open-privacy.ts";
import { unpacked, verifyOffline } from "../testing/verify-offline.ts";

const secret = "Noa Peretz נועה פרץ 🌷";
const written = (about: string): HeldRecord => [
  { field: "full-name", text: "Dana Levi" },
  { field: "message", text: `Before: ${about} is ill. After.` },
];
/** What a store holds whose texts others may have written; it changes while officers look at a copy. */
let messages: HeldRecord[] = [];
let links: HeldRecord[] = [];
const byOthers = ["messages"];
const held: HeldSource[] = [
  { section: "messages", collect: async () => messages },
  {
    section: "links",
    collect: async () => links,
    files: async function* files() {
      if (links.length > 0) yield { name: `${secret}.pdf`, content: Buffer.from("my CV") };
    },
  },
];

let privacy: Awaited<ReturnType<typeof openPrivacy>>;
let startMs: number;
beforeAll(async () => {
  privacy = await openPrivacy({ held, byOthers });
  startMs = privacy.time.ms;
});
afterAll(() => privacy.close());

type Person = ReturnType<typeof privacy.person>;
type Officer = ReturnType<typeof privacy.officer>;

const base = "/api/console/privacy/requests";
async function reviewOf(officer: Officer, id: string) {
  const answer = await officer.call("GET", `${base}/${id}/review`);
  return copyReviewCalls["GET /api/console/privacy/requests/:requestId/review"].answer.parse(
    answer.json(),
  );
}
async function pageOf(officer: Officer, id: string, query: string) {
  const answer = await officer.call("GET", `${base}/${id}/review/entries?${query}`);
  return copyReviewCalls[
    "GET /api/console/privacy/requests/:requestId/review/entries"
  ].answer.parse(answer.json());
}

/** A copy that was asked for, approved and collected. */
async function collected(dana: Person, officer: Officer, body: object = {}): Promise<string> {
  const { requestId } = requestIn(await dana.send("POST", "/access", {}));
  await officer.decided(requestId, "claim");
  await officer.decided(requestId, "approve", body);
  await privacy.work(requestId);
  return requestId;
}

const passage = (change: Partial<Redaction> = {}): Redaction => ({
  store: "messages",
  entry: 0,
  value: 1,
  span: { from: "Before: ".length, to: "Before: ".length + secret.length },
  reason: "other-person",
  ...change,
});

async function propose(officer: Officer, id: string, redactions: readonly Redaction[]) {
  await officer.decided(id, "claim");
  const { collected: of } = await reviewOf(officer, id);
  return await officer.decide(id, "review/redactions", { collected: of, redactions });
}

async function confirmed(officer: Officer, id: string): Promise<void> {
  await officer.decided(id, "claim");
  const { revision } = await reviewOf(officer, id);
  expect((await officer.decide(id, "review/confirm", { revision })).statusCode).toBe(200);
  await privacy.work(id);
}

const filesOf = async (dana: Person, id: string) =>
  unzipSync((await dana.send("GET", `/${id}/package`)).rawPayload);

describe("a copy with texts that others may have written", () => {
  it("is looked through first; what two officers withhold is in no file, and the package says so", async () => {
    messages = [written(secret), written("Uri")];
    links = [[{ field: "file", text: `${secret}.pdf` }], [{ field: "label", text: "Acme" }]];
    const [first, second] = [privacy.officer(), privacy.officer()];
    for (const language of ["en", "he"] as const) {
      const dana = privacy.person({ language });
      const id = await collected(dana, first);
      expect(await first.read(id)).toMatchObject({ inReview: true, needsDecision: true });
      expect((await dana.requests())[0]).toMatchObject({ status: "pending", package: null });
      const { stores, proposal, elsewhere } = await reviewOf(first, id);
      expect(stores).toContainEqual({ store: "messages", entries: 2, byOthers: true });
      expect(stores).toContainEqual({ store: "links", entries: 2, byOthers: false });
      expect({ proposal, elsewhere }).toEqual({ proposal: null, elsewhere: [] });
      expect((await pageOf(first, id, "store=messages&from=1")).entries).toEqual([
        { entry: 1, values: written("Uri") },
      ]);

      expect((await propose(first, id, [passage()])).statusCode).toBe(200);
      // The same words are the name of a file.
      const again = (await reviewOf(first, id)).elsewhere;
      expect(again).toEqual([
        passage({ store: "links", value: 0, span: { from: 0, to: secret.length } }),
      ]);
      expect((await propose(first, id, [passage(), ...again])).statusCode).toBe(200);
      const { lease } = await first.read(id);
      expect(lease).toBeNull();
      await first.decided(id, "claim");
      const own = await first.decide(id, "review/confirm", { revision: 2 });
      expect(problemOf(own).code).toBe("own_proposal");
      await first.decided(id, "release");

      // What changes in the stores meanwhile moves nothing.
      messages = [written("Maya"), ...messages];
      await confirmed(second, id);
      messages = messages.slice(1);
      const parts = await filesOf(dana, id);
      expect(filesWithText(parts, secret)).toEqual([]);
      expect(filesWithText(parts, "is ill")).not.toEqual([]);
      expect(filesWithText(parts, "Uri")).not.toEqual([]);
      expect(filesWithText(parts, "Maya")).toEqual([]);
      const mark =
        language === "en" ? "[withheld: another person's data]" : "[הושמט: מידע על אדם אחר]";
      const page = strFromU8(parts["index.html"] ?? new Uint8Array());
      expect(page).toContain(mark.replace("'", "&#39;"));
      expect(page).toContain(language === "en" ? "You can object" : "אפשר להתנגד");
      for (const path of ["data.json", "csv/messages.csv"])
        expect(strFromU8(parts[path] ?? new Uint8Array())).toContain(
          `Before: ${mark} is ill. After.`,
        );
      const answer = await privacy.app.inject({ url: "/api/privacy/keys" });
      const [keyId = ""] = answer.json<{ keys: string[] }>().keys;
      const signed = { keyId, purpose: manifestPurpose, contract: PackageManifest };
      const line = strFromU8(parts["manifest.json"] ?? new Uint8Array());
      const withheld = [
        { store: "links", reason: "other-person", count: 1 },
        { store: "messages", reason: "other-person", count: 1 },
      ];
      expect(openSignedLine(line, signed).withheld).toEqual(withheld);
      expect((await dana.requests())[0]).toMatchObject({ outcome: "fulfilled", withheld });
      const folder = await unpacked(parts);
      const said = verifyOffline(join(folder, "manifest.json"), keyId, join(folder, "verify.mjs"));
      expect(await said).toContain("genuine: data package");
      await rm(folder, { recursive: true });
      expect(privacy.mails.at(-1)?.text).toContain(
        language === "en" ? "another person's data" : "מידע על אדם אחר",
      );
      // Nothing of the whole text is left beside the package.
      expect(await readdir(join(privacy.directory, "collections"))).toEqual([]);
    }
  });

  it("whole entries and values that are no text are withheld too", async () => {
    messages = [
      [
        { field: "created-at", at: Instant.parse("2026-01-02T00:00:00.000Z") },
        { field: "message", text: secret },
      ],
      written(secret),
    ];
    links = [];
    const [first, second] = [privacy.officer(), privacy.officer()];
    const dana = privacy.person();
    const id = await collected(dana, first);
    const all = [
      passage({ entry: 0, value: null, span: null, reason: "confidence" }),
      passage({ entry: 1, value: 1, span: null, reason: "special-category" }),
    ];
    expect((await propose(first, id, all)).statusCode).toBe(200);
    await confirmed(second, id);
    const parts = await filesOf(dana, id);
    expect(filesWithText(parts, secret)).toEqual([]);
    expect(filesWithText(parts, "2026-01-02")).toEqual([]);
    expect(strFromU8(parts["data.json"] ?? new Uint8Array())).toContain("said in confidence");
  });

  it("is released by one officer when nothing is withheld, and by two when another wanted it", async () => {
    messages = [written(secret)];
    const [first, second] = [privacy.officer(), privacy.officer()];
    const dana = privacy.person();
    const id = await collected(dana, first);
    expect((await first.decide(id, "review/release")).statusCode).toBe(200);
    await privacy.work(id);
    expect(filesWithText(await filesOf(dana, id), secret)).not.toEqual([]);
    expect((await dana.requests())[0]?.withheld).toEqual([]);

    const other = await collected(privacy.person(), first);
    await propose(first, other, [passage()]);
    expect((await propose(second, other, [])).statusCode).toBe(200);
    expect((await reviewOf(second, other)).releasable).toBe(false);
    expect(problemOf(await second.decide(other, "review/release")).code).toBe("second_officer");
    await second.decided(other, "release");
    await confirmed(first, other);
    expect(await first.read(other)).toMatchObject({ outcome: "fulfilled" });
  });

  it("goes back to the first officer, and only what is there can be withheld", async () => {
    messages = [written(secret)];
    const [first, second] = [privacy.officer(), privacy.officer()];
    const id = await collected(privacy.person(), first);
    const flower = "Before: ".length + secret.indexOf("🌷");
    for (const wrong of [
      passage({ entry: 1 }),
      passage({ value: 7 }),
      passage({ store: "links" }),
      passage({ span: { from: 5, to: 5000 } }),
      // In the middle of a character.
      passage({ span: { from: 2, to: flower + 1 } }),
    ])
      expect(problemOf(await propose(first, id, [wrong])).code).toBe("redaction_unfit");
    const twice = await propose(first, id, [passage(), passage({ span: null })]);
    expect(problemOf(twice).code).toBe("invalid_body");
    const { collected: of } = await reviewOf(first, id);
    const outdated = await first.decide(id, "review/redactions", {
      collected: "0".repeat(64),
      redactions: [passage()],
    });
    expect(of).not.toBe("0".repeat(64));
    expect(problemOf(outdated).code).toBe("not_possible_now");
    await propose(first, id, [passage()]);
    await second.decided(id, "claim");
    await second.decided(id, "review/return", { revision: 1 });
    expect((await reviewOf(first, id)).proposal).toMatchObject({ mine: true, returned: true });
    await second.decided(id, "claim");
    const late = await second.decide(id, "review/confirm", { revision: 1 });
    expect(problemOf(late).code).toBe("not_possible_now");
  });
});

describe("a copy in review", () => {
  it("is asked for by the officer where no store demands it; a routine copy goes straight on", async () => {
    messages = [];
    links = [];
    const officer = privacy.officer();
    const routine = await collected(privacy.person(), officer);
    expect(await officer.read(routine)).toMatchObject({ outcome: "fulfilled", inReview: false });
    const asked = await collected(privacy.person(), officer, { review: true });
    expect(await officer.read(asked)).toMatchObject({ outcome: null, inReview: true });
  });

  it("warns officers and is late as before, and can be withdrawn; nothing of it stays", async () => {
    messages = [written(secret)];
    const officer = privacy.officer();
    const dana = privacy.person();
    const id = await collected(dana, officer);
    privacy.time.ms = startMs + 15 * dayMs;
    const before = privacy.mails.length;
    await privacy.work(id);
    expect(privacy.mails.length).toBeGreaterThan(before);
    privacy.time.ms = startMs + 23 * dayMs;
    await privacy.work(id);
    expect(await officer.read(id)).toMatchObject({ overdue: true, inReview: true });
    const queue = await officer.queue("?only=overdue");
    expect(queue.requests.map(({ requestId }) => requestId)).toContain(id);
    requestIn(await dana.send("POST", `/${id}/withdraw`, {}));
    await privacy.work(id);
    privacy.time.ms = startMs;
    const names = await readdir(join(privacy.directory, "collections"));
    expect(names.filter((name) => name.includes(id))).toEqual([]);
    expect(await privacy.ledger.subjects.find(id)).toBeUndefined();
  });

  it("is collected anew when what was collected is lost, and reviewed anew", async () => {
    messages = [written(secret)];
    const [first, second] = [privacy.officer(), privacy.officer()];
    const dana = privacy.person();
    const id = await collected(dana, first);
    await propose(first, id, [passage()]);
    const folder = join(privacy.directory, "collections");
    const lose = async () => {
      for (const name of await readdir(folder)) if (name.includes(id)) await rm(join(folder, name));
    };
    await lose();
    const answer = await second.call("GET", `${base}/${id}/review`);
    expect(problemOf(answer).code).toBe("collection_lost");
    await second.decided(id, "claim");
    await second.decided(id, "review/collect-again");
    await privacy.work(id);
    await propose(first, id, [passage()]);
    await second.decided(id, "claim");
    // The number of the proposal that is lost with it names no other one.
    expect((await second.decide(id, "review/confirm", { revision: 1 })).statusCode).toBe(409);
    await second.decided(id, "review/confirm", { revision: 2 });
    await lose();
    await privacy.work(id);
    expect(await first.read(id)).toMatchObject({ inReview: true, outcome: null });
    await propose(first, id, [passage()]);
    await confirmed(second, id);
    expect(filesWithText(await filesOf(dana, id), secret)).toEqual([]);
  });

  it("is shown in pages, however much it is", async () => {
    messages = Array.from({ length: 60 }, (_one, place) => written(`Person ${place}`));
    const officer = privacy.officer();
    const id = await collected(privacy.person(), officer);
    const pages = [];
    for (let from: number | null = 0; from !== null;) {
      const page = await pageOf(officer, id, `store=messages&from=${from}`);
      pages.push(page.entries.map(({ entry }) => entry));
      from = page.next;
    }
    expect(pages.map(({ length }) => length)).toEqual([25, 25, 10]);
    expect(pages.flat()).toEqual(Array.from({ length: 60 }, (_one, place) => place));
  });
});
