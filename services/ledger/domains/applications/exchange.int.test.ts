import { applicationCalls } from "@pro-talent/schemas/applications/calls";
import { afterAll, beforeAll, expect, it } from "vitest";

import { openTrackerService, type TrackerService } from "./testing/tracker-service.ts";

let service: TrackerService;
beforeAll(async () => {
  service = await openTrackerService();
});
afterAll(() => service.close());

const imported = applicationCalls["POST /api/applications/import"].answer;
const added = applicationCalls["POST /api/applications"].answer;

it("an applicant brings a table in, takes it out, and brings it in again", async () => {
  const { send } = await service.applicant();
  const base64 = (text: string): object => ({ content: Buffer.from(text).toString("base64") });
  const table =
    "Company,Role,Status,Deadline\nAcme,Developer,Interview,31.12.2099\nאקמי,מפתחת,הוגשה,\n";
  const read = await send("POST", "/api/applications/import", base64(table));
  const { applications } = imported.parse(read.json());
  const first = await send("POST", "/api/applications", { applications });
  expect(first.statusCode).toBe(201);
  const [application] = added.parse(first.json()).applications;
  const reminder = { at: "2099-12-01T09:00", zone: "Asia/Jerusalem", text: "Call", byMail: false };
  const path = `/api/applications/${application?.applicationId}/reminders`;
  expect((await send("POST", path, reminder)).statusCode).toBe(201);
  const exported = await send("GET", "/api/applications/export/csv");
  const again = await send("POST", "/api/applications/import", base64(exported.body));
  const { applications: others, ...rest } = imported.parse(again.json());
  expect(rest).toEqual({ source: "csv", findings: [] });
  // What was added in the same moment has no order of its own.
  expect(others).toHaveLength(applications.length);
  expect(others).toEqual(expect.arrayContaining(applications));
  const calendar = await send("GET", "/api/applications/export/ics");
  expect(calendar.body).toContain("SUMMARY:Deadline: Developer – Acme\r\n");
  expect(calendar.body).toContain("SUMMARY:Call · Developer – Acme\r\n");
});

it("an applicant without a plan takes a table out, and brings none in", async () => {
  const { send } = await service.applicant("none");
  expect((await send("GET", "/api/applications/export/csv")).statusCode).toBe(200);
  expect((await send("POST", "/api/applications/import", { content: "" })).statusCode).toBe(403);
});
