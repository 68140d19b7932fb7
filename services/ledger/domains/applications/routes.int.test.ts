import { randomUUID } from "node:crypto";

import type { Application, Stage } from "@pro-talent/schemas/applications/application";
import { applicationCalls } from "@pro-talent/schemas/applications/calls";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { add, addOne, list, namesIn, whole } from "./testing/applicant-calls.ts";
import { openTrackerService, type TrackerService } from "./testing/tracker-service.ts";

const dayMs = 24 * 60 * 60_000;
const Suggested = applicationCalls["GET /api/applications/suggestions"].answer;
const Counted = applicationCalls["GET /api/applications/statistics"].answer;

let service: TrackerService;
beforeAll(async () => {
  service = await openTrackerService();
});
afterEach(async () => {
  service.opens = new Map();
  await service.setAhead(0);
});
afterAll(() => service.close());

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
    const note = "ההודעה הגיעה מדנה";
    const body = { applications: [{ details, sent, note }] };
    const key = randomUUID();
    const first = await applicant.send("POST", "/api/applications", body, key);
    expect(first.statusCode).toBe(201);
    expect((await applicant.send("POST", "/api/applications", body, key)).body).toBe(first.body);
    const { applications, stages, included } = await list(applicant);
    expect(applications).toMatchObject([{ details, sent, notes: 1, files: 0, remindAt: null }]);
    const { notes } = await whole(applicant, applications[0]?.applicationId ?? "");
    expect(notes).toMatchObject([{ text: note }]);
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
    const applicationId = (await add(applicant, "Unmistakable Industries"))[0]?.applicationId ?? "";
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
