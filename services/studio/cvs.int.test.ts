import { randomUUID } from "node:crypto";

import { CvSummary } from "@pro-talent/schemas/studio/calls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import {
  dayMs,
  openStudioUnderTest,
  refusalIn,
  stateIn,
  type Studio,
  withProfile,
} from "./testing/studio-under-test.ts";

let studio: Studio;
beforeAll(async () => {
  studio = await openStudioUnderTest();
});
afterAll(() => studio.drop());

const listOf = async (accountId: string) =>
  z.object({ cvs: z.array(CvSummary) }).parse((await studio.call(accountId, "GET /api/cvs")).json())
    .cvs;
const versionsOf = async (accountId: string, cvId: string) =>
  z
    .object({ versions: z.array(z.object({ version: z.int(), name: z.string().nullable() })) })
    .parse((await studio.call(accountId, `GET /api/cvs/${cvId}/versions`)).json()).versions;

describe("a person's CVs", () => {
  it("are empty at first, and listed by their last edit", async () => {
    const { accountId, cvId, cv } = await studio.make();
    expect([cv.title, cv.version, cv.canUndo, cv.canRedo]).toEqual(["My CV", 1, false, false]);
    expect(cv.document.sections).toEqual([]);
    studio.advance(60_000);
    const second = await studio.make({ accountId });
    expect((await listOf(accountId)).map((one) => one.cvId)).toEqual([second.cvId, cvId]);
    studio.advance(60_000);
    const body = { basedOn: 1, document: withProfile(cv.document, { fullName: "Dana" }) };
    await studio.call(accountId, `POST /api/cvs/${cvId}/edits`, body);
    expect((await listOf(accountId)).map((one) => one.cvId)).toEqual([cvId, second.cvId]);
    expect(await listOf(randomUUID())).toEqual([]);
  });

  it("can be renamed, archived and brought back", async () => {
    const { accountId, cvId } = await studio.make();
    const change = async (body: object) =>
      z
        .object({ cv: CvSummary })
        .parse((await studio.call(accountId, `PATCH /api/cvs/${cvId}`, body)).json()).cv;
    expect((await change({ title: "קורות חיים" })).title).toBe("קורות חיים");
    const archived = await change({ archived: true });
    studio.advance(1_000);
    expect(archived.archivedAt).not.toBeNull();
    expect((await change({ title: "Old" })).archivedAt).toBe(archived.archivedAt);
    expect((await change({ archived: false })).archivedAt).toBeNull();
  });

  it("that are deleted are gone with their versions and photos", async () => {
    const { accountId, cvId } = await studio.make();
    expect((await studio.call(accountId, `DELETE /api/cvs/${cvId}`)).statusCode).toBe(200);
    expect(refusalIn(await studio.call(accountId, `GET /api/cvs/${cvId}`))).toEqual([
      404,
      "cv_not_found",
    ]);
    expect(await studio.sql`select from studio.cv_version where cv_id = ${cvId}`).toHaveLength(0);
  });

  it("are at most so many, also when several are made at once", async () => {
    const accountId = randomUUID();
    for (let made = 0; made < 47; made += 1) await studio.make({ accountId });
    const body = { title: "One more", language: "en" };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => studio.call(accountId, "POST /api/cvs", body)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(3);
    const full = answers.find(({ statusCode }) => statusCode === 409);
    expect(full && refusalIn(full)).toEqual([409, "cvs_full"]);
  });

  it("copied into the other language name each other, until one is deleted", async () => {
    const { accountId, cvId, cv } = await studio.make();
    const body = { title: "עברית", language: "he", copyOf: cvId };
    const hebrew = await studio.state(accountId, "POST /api/cvs", body);
    expect([hebrew.language, hebrew.document.language]).toEqual(["he", "he"]);
    expect([hebrew.otherLanguage, hebrew.document.otherLanguage]).toEqual([cvId, cvId]);
    const english = await studio.state(accountId, `GET /api/cvs/${cvId}`);
    expect([english.otherLanguage, english.document.otherLanguage]).toEqual([
      hebrew.cvId,
      hebrew.cvId,
    ]);
    // A tab that does not know of the copy yet saves its document: the link stays.
    const edit = { basedOn: 1, document: withProfile(cv.document, { headline: "Nurse" }) };
    const saved = await studio.state(accountId, `POST /api/cvs/${cvId}/edits`, edit);
    expect(saved.document.otherLanguage).toBe(hebrew.cvId);
    await studio.call(accountId, `DELETE /api/cvs/${hebrew.cvId}`);
    expect((await studio.state(accountId, `GET /api/cvs/${cvId}`)).otherLanguage).toBeNull();
  });

  it("of someone else are not found by any call", async () => {
    const { cvId, cv } = await studio.make();
    const other = randomUUID();
    await studio.make({ accountId: other });
    const edit = { basedOn: 1, document: cv.document };
    const calls: [string, object?][] = [
      [`GET /api/cvs/${cvId}`],
      [`PATCH /api/cvs/${cvId}`, { title: "Mine" }],
      [`DELETE /api/cvs/${cvId}`],
      [`POST /api/cvs/${cvId}/edits`, edit],
      [`POST /api/cvs/${cvId}/undo`],
      [`POST /api/cvs/${cvId}/redo`],
      [`GET /api/cvs/${cvId}/versions`],
      [`GET /api/cvs/${cvId}/versions/1`],
      [`PATCH /api/cvs/${cvId}/versions/1`, { name: "Mine" }],
      [`POST /api/cvs/${cvId}/versions/1/restore`],
      [`GET /api/cvs/${cvId}/files/pdf`],
      [`GET /api/cvs/${cvId}/check`],
      [`POST /api/cvs`, { title: "Copy", language: "he", copyOf: cvId }],
    ];
    for (const [name, body] of calls) {
      expect([name, refusalIn(await studio.call(other, name, body))]).toEqual([
        name,
        [404, "cv_not_found"],
      ]);
    }
  });
});

describe("an edit", () => {
  it("that is sent again changes nothing", async () => {
    const { accountId, cvId, cv } = await studio.make();
    const edit = { basedOn: 1, document: withProfile(cv.document, { fullName: "Dana" }) };
    const first = await studio.state(accountId, `POST /api/cvs/${cvId}/edits`, edit);
    const again = await studio.state(accountId, `POST /api/cvs/${cvId}/edits`, edit);
    expect([first.version, again.version]).toEqual([2, 2]);
    expect(await versionsOf(accountId, cvId)).toHaveLength(2);
  });

  it("is merged with what another device has saved; of one field both are in the history", async () => {
    const { accountId, cvId, cv } = await studio.make();
    const path = `POST /api/cvs/${cvId}/edits`;
    const theirs = withProfile(cv.document, { fullName: "Dana", phone: "1" });
    const mine = withProfile(cv.document, { headline: "Nurse", phone: "2" });
    await studio.call(accountId, path, { basedOn: 1, document: theirs });
    const answer = await studio.call(accountId, path, { basedOn: 1, document: mine });
    const { profile } = stateIn(answer).document;
    expect([profile.fullName, profile.headline, profile.phone]).toEqual(["Dana", "Nurse", "2"]);
    expect(answer.json<{ conflicts: object[] }>().conflicts).toEqual([
      { path: "profile/phone", theirs: "1", mine: "2" },
    ]);
    const kept = await studio.call(accountId, `GET /api/cvs/${cvId}/versions/2`);
    expect(kept.json()).toMatchObject({ document: { profile: { phone: "1" } } });
  });

  it("that is undone twice because an answer was lost is one step, and never one that was not seen", async () => {
    const { accountId, cvId, cv } = await studio.make();
    const path = `/api/cvs/${cvId}`;
    for (const [index, fullName] of ["A", "B", "C"].entries()) {
      const document = withProfile(cv.document, { fullName });
      await studio.state(accountId, `POST ${path}/edits`, { basedOn: index + 1, document });
    }
    const after = async (direction: "undo" | "redo", version: number) =>
      (await studio.state(accountId, `POST ${path}/${direction}`, { version })).document.profile
        .fullName;
    expect([await after("undo", 4), await after("undo", 4)]).toEqual(["B", "B"]);
    expect([await after("redo", 3), await after("redo", 3)]).toEqual(["C", "C"]);
    expect(await after("undo", 2)).toBe("C");
  });

  it("can be undone and redone, by every device; a new edit ends what could be redone", async () => {
    const { accountId, cvId, cv } = await studio.make();
    const path = `/api/cvs/${cvId}`;
    const name = async (fullName: string, basedOn: number) => {
      const document = withProfile(cv.document, { fullName });
      return studio.state(accountId, `POST ${path}/edits`, { basedOn, document });
    };
    await name("A", 1);
    await name("B", 2);
    const undone = await studio.state(accountId, `POST ${path}/undo`);
    expect([undone.document.profile.fullName, undone.canUndo, undone.canRedo]).toEqual([
      "A",
      true,
      true,
    ]);
    const reloaded = await studio.state(accountId, `GET ${path}`);
    expect(reloaded).toEqual(undone);
    expect((await studio.state(accountId, `POST ${path}/undo`)).canUndo).toBe(false);
    expect(refusalIn(await studio.call(accountId, `POST ${path}/undo`))).toEqual([
      409,
      "nothing_to_undo",
    ]);
    const redone = await studio.state(accountId, `POST ${path}/redo`);
    expect(redone.document.profile.fullName).toBe("A");
    const edited = await name("C", redone.version);
    expect([edited.version, edited.canRedo]).toEqual([4, false]);
    expect((await versionsOf(accountId, cvId)).map(({ version }) => version)).toEqual([4, 3, 2, 1]);
    const restored = await studio.state(accountId, `POST ${path}/versions/3/restore`);
    expect([restored.document.profile.fullName, restored.canUndo]).toEqual(["B", true]);
  });

  it("from a version that is no longer kept is refused; named versions and the last of a day are kept", async () => {
    const { accountId, cvId, cv } = await studio.make();
    const path = `/api/cvs/${cvId}`;
    const edit = (fullName: string, basedOn: number) =>
      studio.state(accountId, `POST ${path}/edits`, {
        basedOn,
        document: withProfile(cv.document, { fullName }),
      });
    for (let version = 1; version <= 4; version += 1) await edit(`First day ${version}`, version);
    await studio.call(accountId, `PATCH ${path}/versions/2`, { name: "Sent to the clinic" });
    studio.advance(dayMs);
    // As 200 more edits of this day leave them.
    const now = new Date(studio.context.clock());
    await studio.sql`
      insert into studio.cv_version (cv_id, account_id, version, sealed_document, saved_at, undo_to)
      select cv_id, account_id, number, sealed_document, ${now}, number - 1
        from studio.cv_version, generate_series(6, 205) number
       where cv_id = ${cvId} and version = 5`;
    await studio.sql`update studio.cv set newest = 205 where cv_id = ${cvId}`;
    await edit("Next", 5);
    const versions = await versionsOf(accountId, cvId);
    const old = versions.filter(({ version }) => version <= 6);
    expect(old).toEqual([
      { version: 5, name: null },
      { version: 2, name: "Sent to the clinic" },
    ]);
    const answer = await studio.call(accountId, `POST ${path}/edits`, {
      basedOn: 1,
      document: cv.document,
    });
    expect(refusalIn(answer)).toEqual([409, "version_not_kept"]);
    studio.advance(91 * dayMs);
    await edit("Later", 206);
    expect((await versionsOf(accountId, cvId)).at(-1)?.version).toBe(2);
    expect(await versionsOf(accountId, cvId)).not.toContainEqual({ version: 5, name: null });
  });
});
