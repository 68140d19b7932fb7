import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";

import { until } from "@pro-talent/platform/testing/until";
import type { Application, Stage } from "@pro-talent/schemas/applications/application";
import { applicationCalls } from "@pro-talent/schemas/applications/calls";
import { applicationPartCalls } from "@pro-talent/schemas/applications/part-calls";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { testCause } from "../../testing/create-test-ledger.ts";
import { applicationsEraser } from "./erase-applications.ts";
import { applicationsHeld } from "./held-applications.ts";
import {
  type Applicant,
  openTrackerService,
  type TrackerService,
} from "./testing/tracker-service.ts";

const dayMs = 24 * 60 * 60_000;
const Listed = applicationCalls["GET /api/applications"].answer;
const Added = applicationCalls["POST /api/applications"].answer;
const Whole = applicationCalls["GET /api/applications/:applicationId"].answer;
const Suggested = applicationCalls["GET /api/applications/suggestions"].answer;
const Counted = applicationCalls["GET /api/applications/statistics"].answer;
const Noted = applicationPartCalls["POST /api/applications/:applicationId/notes"].answer;
const Filed = applicationPartCalls["POST /api/applications/:applicationId/files"].answer;

let service: TrackerService;
beforeAll(async () => {
  service = await openTrackerService();
});
afterEach(async () => {
  service.opens = new Map();
  await service.setAhead(0);
});
afterAll(() => service.close());

const list = async ({ send }: Applicant) =>
  Listed.parse((await send("GET", "/api/applications")).json());

const namesIn = async (applicant: Applicant, stage: Stage | undefined) =>
  (await list(applicant)).applications
    .filter(({ stageId }) => stageId === stage?.stageId)
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .map(({ details }) => details.company);

async function add({ send }: Applicant, ...companies: readonly string[]): Promise<Application[]> {
  const applications = companies.map((company) => ({ details: { company } }));
  return Added.parse((await send("POST", "/api/applications", { applications })).json())
    .applications;
}

async function addOne(applicant: Applicant, company = "Acme"): Promise<string> {
  const [application] = await add(applicant, company);
  return application?.applicationId ?? "";
}

const whole = async ({ send }: Applicant, applicationId: string) =>
  Whole.parse((await send("GET", `/api/applications/${applicationId}`)).json());

describe("applications", () => {
  it("are added with what was written and sent, and listed in the usual pipeline", async () => {
    const applicant = await service.applicant();
    const linkId = await service.link(applicant.accountId);
    const details = {
      company: "חברת הדגמה בע״מ",
      role: "מפתחת",
      salary: { from: 20_000, to: null, currency: "ILS", per: "month" },
      deadline: "2026-12-24",
      contacts: [{ contactId: randomUUID(), name: "דנה", email: "dana@example.com" }],
    };
    const sent = { linkIds: [linkId], cv: { cvId: randomUUID(), version: 3 } };
    const body = { applications: [{ details, sent }] };
    const key = randomUUID();
    const first = await applicant.send("POST", "/api/applications", body, key);
    expect(first.statusCode).toBe(201);
    expect((await applicant.send("POST", "/api/applications", body, key)).body).toBe(first.body);
    const { applications, stages, included } = await list(applicant);
    expect(applications).toMatchObject([{ details, sent, notes: 0, files: 0, remindAt: null }]);
    expect(stages.map(({ kind, name }) => [kind, name])).toEqual(
      ["saved", "applied", "interviewing", "offered", "accepted", "rejected", "withdrawn"].map(
        (kind) => [kind, ""],
      ),
    );
    expect(applications[0]?.stageId).toBe(stages[0]?.stageId);
    expect(included).toBe(true);
  });

  it("keep what was written out of events and rows", async () => {
    const applicant = await service.applicant();
    const applicationId = await addOne(applicant, "Unmistakable Industries");
    const text = "Unmistakable note";
    await applicant.send("POST", `/api/applications/${applicationId}/notes`, { text });
    const rows = await service.ledger.owner`
      select from ledger.event where data like '%Unmistakable%' or sealed::text like '%Unmistakable%'
      union all select from ledger.application a where a::text like '%Unmistakable%'`;
    expect(rows).toHaveLength(0);
    const { notes } = await whole(applicant, applicationId);
    expect(notes).toMatchObject([{ text, editedAt: null }]);
  });

  it("are unknown to other accounts", async () => {
    const [owner, other] = [await service.applicant(), await service.applicant()];
    const applicationId = await addOne(owner);
    const path = `/api/applications/${applicationId}`;
    const applicationIds = [applicationId];
    const { stages } = await list(other);
    const plan = { at: "2030-01-01T09:00", zone: "Asia/Jerusalem", text: "Call", byMail: false };
    const refused = [
      await other.send("GET", path),
      await other.send("PATCH", path, { details: { company: "Mine" } }),
      await other.send("POST", `${path}/notes`, { text: "Mine" }),
      await other.send("POST", `${path}/reminders`, plan),
      await other.send("POST", `${path}/files`, { name: "a.pdf", content: "YQ==" }),
      await other.send("GET", `${path}/files/${randomUUID()}`),
      await other.send("POST", "/api/applications/archive", { applicationIds, archived: true }),
      await other.send("POST", "/api/applications/delete", { applicationIds }),
      await other.send("POST", "/api/applications/moves", {
        applicationIds,
        stageId: stages[1]?.stageId,
      }),
    ];
    for (const answer of refused) {
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: "application_not_found" });
    }
    const sent = { linkIds: [await service.link(owner.accountId)] };
    const stolen = { applications: [{ details: { company: "Acme" }, sent }] };
    const answer = await other.send("POST", "/api/applications", stolen);
    expect(answer.json()).toMatchObject({ code: "link_not_found" });
    expect(await namesIn(owner, (await list(owner)).stages[0])).toEqual(["Acme"]);
  });

  it("without the plan are read and deleted, and not changed", async () => {
    const applicant = await service.applicant();
    const [first, second] = await add(applicant, "One", "Two");
    await service.endPlan(applicant.accountId);
    const path = `/api/applications/${first?.applicationId ?? ""}`;
    const refused = [
      await applicant.send("POST", "/api/applications", {
        applications: [{ details: { company: "Three" } }],
      }),
      await applicant.send("PATCH", path, { details: { company: "Four" } }),
      await applicant.send("POST", `${path}/notes`, { text: "Note" }),
      await applicant.send("GET", "/api/applications/suggestions"),
    ];
    for (const answer of refused)
      expect(answer.json()).toMatchObject({ code: "tracker_not_included" });
    expect(await list(applicant)).toMatchObject({ included: false, applications: [{}, {}] });
    expect((await applicant.send("GET", path)).statusCode).toBe(200);
    expect((await applicant.send("GET", "/api/applications/statistics")).statusCode).toBe(200);
    const applicationIds = [first?.applicationId];
    await applicant.send("POST", "/api/applications/delete", { applicationIds });
    expect((await list(applicant)).applications).toMatchObject([
      { applicationId: second?.applicationId },
    ]);
  });

  it("are moved together in front of another one, and within their stage", async () => {
    const applicant = await service.applicant();
    const [a, b, c, d] = await add(applicant, "a", "b", "c", "d");
    const { stages } = await list(applicant);
    const [saved, applied] = stages;
    const move = (ids: (Application | undefined)[], stage?: Stage, before?: Application) =>
      applicant.send("POST", "/api/applications/moves", {
        applicationIds: ids.map((one) => one?.applicationId),
        stageId: stage?.stageId,
        before: before?.applicationId ?? null,
      });
    await move([d], saved, b);
    expect(await namesIn(applicant, saved)).toEqual(["a", "d", "b", "c"]);
    await move([c, a], applied);
    await move([b], applied, a);
    expect(await namesIn(applicant, saved)).toEqual(["d"]);
    expect(await namesIn(applicant, applied)).toEqual(["c", "b", "a"]);
    expect((await move([d], applied, d)).statusCode).toBe(404);
    const { history } = await whole(applicant, b?.applicationId ?? "");
    expect(history).toMatchObject([
      { kind: "moved", from: saved?.stageId, to: applied?.stageId },
      { kind: "added", stageId: saved?.stageId },
    ]);
  });

  it("are archived, restored and changed", async () => {
    const applicant = await service.applicant();
    const applicationId = await addOne(applicant);
    const applicationIds = [applicationId];
    await applicant.send("POST", "/api/applications/archive", { applicationIds, archived: true });
    expect((await whole(applicant, applicationId)).application.archivedAt).not.toBeNull();
    await applicant.send("POST", "/api/applications/archive", { applicationIds, archived: false });
    const details = { company: "Acme & Sons", place: "Haifa" };
    await applicant.send("PATCH", `/api/applications/${applicationId}`, { details });
    const { application } = await whole(applicant, applicationId);
    expect(application).toMatchObject({ archivedAt: null, details, sent: { linkIds: [] } });
  });

  it("of hundreds are added at once, in their order, up to the number that an account may hold", async () => {
    const applicant = await service.applicant();
    const names = Array.from({ length: 500 }, (_, index) => `Company ${index}`);
    const added = await add(applicant, ...names);
    expect(added.map(({ details }) => details.company)).toEqual(names);
    expect(await namesIn(applicant, (await list(applicant)).stages[0])).toEqual(names);
    await service.ledger.owner`
      insert into ledger.application (application_id, account_id, stage_id, rank, steps, created_at, changed_at,
          link_ids, notes, file_ids, pos)
        select gen_random_uuid(), ${applicant.accountId}, gen_random_uuid(), 'V', '[]', now(), now(), '{}', 0, '{}', 0
          from generate_series(1, 9499)`;
    await add(applicant, "the last one");
    const body = { applications: [{ details: { company: "one more" } }] };
    const answer = await applicant.send("POST", "/api/applications", body);
    expect(answer.json()).toMatchObject({ code: "applications_full" });
  });
});

describe("the pipeline", () => {
  it("is changed with names of its own, and applications follow a stage that is left out", async () => {
    const applicant = await service.applicant();
    const applicationId = await addOne(applicant);
    const [saved, ...others] = (await list(applicant)).stages;
    const phone = { stageId: randomUUID(), kind: "interviewing", name: "שיחה ראשונה" };
    const stages = [phone, ...others];
    const put = (body: object) => applicant.send("PUT", "/api/applications/stages", body);
    expect((await put({ stages })).json()).toMatchObject({ code: "stage_in_use" });
    const moved = { [saved?.stageId ?? ""]: phone.stageId };
    expect((await put({ stages, moved })).json()).toMatchObject({ stages });
    expect((await put({ stages: [phone, phone] })).statusCode).toBe(400);
    const { application, history } = await whole(applicant, applicationId);
    expect(application.stageId).toBe(phone.stageId);
    expect(history).toMatchObject([{ kind: "added", stageId: phone.stageId }]);
    const names = await service.ledger.owner`
      select from ledger.event where type = 'PipelineChanged' and data like '%שיחה%'`;
    expect(names).toHaveLength(0);
  });
});

describe("notes and files", () => {
  it("are added once, changed and deleted", async () => {
    const applicant = await service.applicant();
    const path = `/api/applications/${await addOne(applicant)}`;
    const [key, fileKey] = [randomUUID(), randomUUID()];
    const text = "הם מחפשים מישהי עם ניסיון";
    const { note } = Noted.parse(
      (await applicant.send("POST", `${path}/notes`, { text }, key)).json(),
    );
    await applicant.send("POST", `${path}/notes`, { text }, key);
    await applicant.send("PUT", `${path}/notes/${note.noteId}`, { text: "Other words" });
    const content = Buffer.from("%PDF-1.7 with a text");
    const body = { name: "מכתב.pdf", content: content.toString("base64") };
    const { file } = Filed.parse(
      (await applicant.send("POST", `${path}/files`, body, fileKey)).json(),
    );
    await applicant.send("POST", `${path}/files`, body, fileKey);
    const { notes, files } = await whole(applicant, path.split("/").at(-1) ?? "");
    expect(notes).toMatchObject([{ text: "Other words", writtenAt: note.writtenAt }]);
    expect(files).toMatchObject([{ name: "מכתב.pdf", bytes: content.length }]);
    const answer = await applicant.send("GET", `${path}/files/${file.fileId}`);
    expect(answer.rawPayload).toEqual(content);
    expect(answer.headers["content-type"]).toBe("application/octet-stream");
    expect(answer.headers["content-disposition"]).toContain("attachment; filename*=UTF-8''");
    await applicant.send("DELETE", `${path}/notes/${note.noteId}`);
    await applicant.send("DELETE", `${path}/files/${file.fileId}`);
    expect((await applicant.send("GET", `${path}/files/${file.fileId}`)).statusCode).toBe(404);
    const after = await applicant.send("DELETE", `${path}/notes/${note.noteId}`);
    expect(after.json()).toMatchObject({ code: "note_not_found" });
  });
});

describe("what applicants are shown", () => {
  it("are suggestions from silence and opens, also while opens are not known", async () => {
    const applicant = await service.applicant();
    const { accountId } = applicant;
    const linkId = await service.link(accountId);
    const { stages } = await list(applicant);
    const stageId = stages.find(({ kind }) => kind === "applied")?.stageId;
    const application = { details: { company: "Acme" }, sent: { linkIds: [linkId] }, stageId };
    await applicant.send("POST", "/api/applications", { applications: [application] });
    await service.setAhead(11 * dayMs);
    const suggested = async () =>
      Suggested.parse((await applicant.send("GET", "/api/applications/suggestions")).json());
    expect(await suggested()).toMatchObject({
      suggestions: [{ code: "silent-not-opened", days: 11 }],
      opensKnown: true,
    });
    service.opens = new Map([
      [linkId, { opens: 2, lastAt: instantPlus(service.now(), -3 * dayMs) }],
    ]);
    expect(await suggested()).toMatchObject({
      suggestions: [{ code: "opened-no-answer", opens: 2 }],
    });
    service.opens = undefined;
    expect(await suggested()).toMatchObject({
      suggestions: [{ code: "silent-not-opened" }],
      opensKnown: false,
    });
  });

  it("are statistics of the days that they ask for", async () => {
    const applicant = await service.applicant();
    await addOne(applicant);
    await service.setAhead(40 * dayMs);
    await addOne(applicant);
    const count = async (query: string) =>
      Counted.parse((await applicant.send("GET", `/api/applications/statistics${query}`)).json())
        .applications;
    expect(await count("")).toBe(2);
    const from = instantPlus(service.now(), -dayMs).slice(0, 10);
    expect(await count(`?from=${from}`)).toBe(1);
    expect(await count(`?to=${from}`)).toBe(1);
  });
});

describe("what was written", () => {
  /** An application with a note, a file and a reminder, in a pipeline of its own. */
  async function everything(applicant: Applicant): Promise<string> {
    const applicationId = await addOne(applicant);
    const path = `/api/applications/${applicationId}`;
    const plan = { at: "2030-01-01T09:00", zone: "Asia/Jerusalem", text: "להתקשר", byMail: true };
    await applicant.send("POST", `${path}/notes`, { text: "הערה" });
    await applicant.send("POST", `${path}/reminders`, plan);
    await applicant.send("POST", `${path}/files`, { name: "a.pdf", content: "YQ==" });
    const { stages } = await list(applicant);
    const named = stages.map((stage) => ({ ...stage, name: `שלב ${stage.kind}` }));
    await applicant.send("PUT", "/api/applications/stages", { stages: named });
    return applicationId;
  }
  const stored = async (): Promise<number> =>
    (await readdir(service.directory, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    ).length;
  const keysOf = (ids: readonly string[]) => service.ledger.owner`
    select from ledger.subject where subject_id = any (${ids}::uuid[])`;

  it("is destroyed when an application is deleted, with its files", async () => {
    const applicant = await service.applicant();
    const before = await stored();
    const applicationId = await everything(applicant);
    expect(await stored()).toBe(before + 1);
    const applicationIds = [applicationId];
    await applicant.send("POST", "/api/applications/delete", { applicationIds });
    await until("the key is destroyed", async () => {
      await service.sweep();
      return (await keysOf(applicationIds)).length === 0;
    });
    expect(await stored()).toBe(before);
    const sealed = await service.ledger.owner`
      select from ledger.event where stream = ${`application-${applicationId}`} and sealed is not null`;
    expect(sealed).toHaveLength(0);
  });

  it("is part of the copy of the account's data, and gone with the account", async () => {
    const applicant = await service.applicant();
    const { accountId, email } = applicant;
    const applicationId = await everything(applicant);
    const person = { accountId, at: service.now(), email: async () => email };
    const held = JSON.stringify(await applicationsHeld.collect(service.worker, person));
    for (const word of ["Acme", "הערה", "להתקשר", "a.pdf", "שלב saved"])
      expect(held).toContain(word);
    const erased = { accountId, email };
    const subjects = (await applicationsEraser.subjectsOf?.(service.worker, erased)) ?? [];
    expect(await keysOf(subjects)).toHaveLength(2);
    const why = { now: service.now(), cause: testCause() };
    const result = await applicationsEraser.erase(service.worker, erased, why);
    expect(result).toEqual({ found: 2, left: 0 });
    expect(subjects).toContain(applicationId);
    expect(await keysOf(subjects)).toHaveLength(0);
    expect(await applicationsEraser.erase(service.worker, erased, why)).toEqual({
      found: 0,
      left: 0,
    });
    expect((await list(applicant)).applications).toEqual([]);
  });
});
