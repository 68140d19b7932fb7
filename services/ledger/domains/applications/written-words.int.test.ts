import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";

import { until } from "@pro-talent/platform/testing/until";
import { applicationPartCalls } from "@pro-talent/schemas/applications/part-calls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { testCause } from "../../testing/create-test-ledger.ts";
import { applicationsEraser } from "./erase-applications.ts";
import { applicationsHeld } from "./held-applications.ts";
import { addOne, list, whole } from "./testing/applicant-calls.ts";
import {
  type Applicant,
  openTrackerService,
  type TrackerService,
} from "./testing/tracker-service.ts";

const Noted = applicationPartCalls["POST /api/applications/:applicationId/notes"].answer;
const Filed = applicationPartCalls["POST /api/applications/:applicationId/files"].answer;

let service: TrackerService;
beforeAll(async () => {
  service = await openTrackerService();
});
afterAll(() => service.close());

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
