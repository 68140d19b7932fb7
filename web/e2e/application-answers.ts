import { applicationCalls } from "@pro-talent/schemas/applications/calls";
import type { BrowserContext } from "playwright-core";
import { z } from "zod";

import { visitAccount } from "./account-visitor.ts";
import { type AnsweredRequest, answerCalls } from "./answer-calls.ts";
import type { Language, Stack } from "./fixtures.ts";
import { answerLinks, linkIdOf, usual as usualLinks } from "./link-answers.ts";

type Tracker = z.output<(typeof applicationCalls)["GET /api/applications"]["answer"]>;
type Application = Tracker["applications"][number];

const dayMs = 24 * 60 * 60_000;
/** An instant so many days ago. */
const ago = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();
/** A calendar day so many days from now. */
const dayIn = (days: number): string => ago(-days).slice(0, 10);
const idOf = (kind: number, index: number): string =>
  `0198c5a0-0000-7000-800${kind}-${index.toString(16).padStart(12, "0")}`;
export const applicationIdOf = (index: number): string => idOf(1, index);
export const stageIdOf = (index: number): string => idOf(2, index);

const kinds = ["saved", "applied", "interviewing", "offered", "rejected"] as const;
const stages = kinds.map((kind, index) => ({
  stageId: stageIdOf(index),
  kind,
  name: index === 2 ? "Technical interview" : "",
}));

type Given = { company: string; role: string; stage: number; days: number; linked?: boolean };

const applicationOf = ({ company, role, stage, days, linked = false }: Given, index: number) => ({
  applicationId: applicationIdOf(index),
  details: {
    company,
    role,
    place: "Haifa",
    source: index % 2 === 0 ? "LinkedIn" : "Dana",
    jobUrl: "https://jobs.example.com/1",
    salary: { from: 20_000, to: 25_000, currency: "ILS", per: "month" },
    deadline: stage === 0 ? dayIn(2) : null,
    appliedOn: stage === 0 ? null : dayIn(-days),
    contacts: [],
  },
  sent: { linkIds: linked ? [linkIdOf(1)] : [], cv: null },
  stageId: stageIdOf(stage),
  rank: index.toString().padStart(6, "0"),
  stageSince: ago(days),
  createdAt: ago(days + 3),
  changedAt: ago(days),
  archivedAt: null,
  remindAt: index === 1 ? ago(-0.1) : null,
  notes: 0,
  files: 0,
});

const few: readonly Given[] = [
  { company: "Acme", role: "Head nurse", stage: 1, days: 9, linked: true },
  { company: "Globex", role: "Nurse", stage: 1, days: 3 },
  { company: "בנק ירושלים", role: "מנהלת מחלקה", stage: 2, days: 1 },
  { company: "Initech", role: "Ward manager", stage: 0, days: 0 },
];
/** So many applications as large boards have, in all stages. */
export const many = (count: number): Given[] =>
  Array.from({ length: count }, (_, index) => ({
    company: `Company ${index}`,
    role: index % 3 === 0 ? "Nurse" : "Engineer of reliable systems",
    stage: index % kinds.length,
    days: index % 40,
    linked: index % 7 === 0,
  }));

const reminderOf = (applicationId: string, text: string, dueAt: string) => ({
  reminderId: idOf(3, 1),
  applicationId,
  at: dueAt.slice(0, 16),
  zone: "Asia/Jerusalem",
  text,
  byMail: true,
  dueAt,
  status: "planned" as const,
});

type Answer = { status: number; json: unknown };
const ok = (json: unknown, status = 200): Answer => ({ status, json });
const refusal = (status: number, code: string): Answer => ({
  status,
  json: { code, error: "No." },
});

const Move = z.object({
  applicationIds: z.array(z.string()),
  stageId: z.string(),
  before: z.string().nullable(),
});
const Archive = z.object({ applicationIds: z.array(z.string()), archived: z.boolean() });
const Added = z.object({ applications: z.array(z.object({ details: z.unknown() })) });
const Note = z.object({ text: z.string() });
const ReminderBody = z.object({ at: z.string(), text: z.string() });

/** The calls about applications as journeys without the service need them; each answer can be replaced. */
export class ApplicationAnswers {
  tracker: Tracker;
  included = true;
  notes: { noteId: string; text: string; writtenAt: string; editedAt: null }[] = [];
  reminders = [reminderOf(applicationIdOf(1), "Call Globex", ago(-0.1))];
  readonly instead = new Map<string, Answer | "awaited">();
  readonly calls: string[] = [];

  constructor(given: readonly Given[] = few) {
    this.tracker = applicationCalls["GET /api/applications"].answer.parse({
      applications: given.map(applicationOf),
      stages,
      included: true,
      applicationsMax: 10_000,
    });
  }

  #change(ids: readonly string[], next: (one: Application, place: number) => Application) {
    const changed: Application[] = [];
    this.tracker.applications = this.tracker.applications.map((one) => {
      const place = ids.indexOf(one.applicationId);
      if (place === -1) return one;
      const moved = next(one, place);
      changed.push(moved);
      return moved;
    });
    return ok({ applications: changed });
  }

  #move(request: AnsweredRequest): Answer {
    const { applicationIds, stageId, before } = Move.parse(request.postDataJSON());
    const others = this.tracker.applications
      .filter((one) => one.stageId === stageId && !applicationIds.includes(one.applicationId))
      .toSorted((one, other) => (one.rank < other.rank ? -1 : 1));
    const index = others.findIndex(({ applicationId }) => applicationId === before);
    const previous = index === -1 ? others.at(-1) : others[index - 1];
    return this.#change(applicationIds, (one, place) => ({
      ...one,
      stageId,
      rank: `${previous?.rank ?? ""}-${place}`,
    }));
  }

  #add(request: AnsweredRequest): Answer {
    const { applications } = Added.parse(request.postDataJSON());
    const from = this.tracker.applications.length;
    const added = applications.map((body, index) => ({
      ...applicationOf({ company: "", role: "", stage: 0, days: 0 }, from + index + 50),
      ...body,
      sent: { linkIds: [], cv: null },
    }));
    const answer = applicationCalls["POST /api/applications"].answer.parse({ applications: added });
    this.tracker.applications.push(...answer.applications);
    return ok(answer, 201);
  }

  #whole(applicationId: string): Answer {
    const application = this.tracker.applications.find(
      (one) => one.applicationId === applicationId,
    );
    if (application === undefined) return refusal(404, "application_not_found");
    const history = [
      { kind: "moved", at: ago(2), from: stageIdOf(0), to: application.stageId },
      { kind: "added", at: ago(12), stageId: stageIdOf(0) },
    ];
    const reminders = this.reminders.filter((one) => one.applicationId === applicationId);
    return ok({ application, notes: this.notes, files: [], reminders, history });
  }

  #partOf(call: string, request: AnsweredRequest): Answer {
    const [, applicationId = "", part] =
      /\/applications\/([0-9a-f-]{36})\/?(\w+)?/u.exec(call) ?? [];
    if (call.startsWith("GET ")) return this.#whole(applicationId);
    if (part === "notes") {
      const { text } = Note.parse(request.postDataJSON());
      const id = idOf(4, this.notes.length);
      const note = { noteId: id, text, writtenAt: ago(0), editedAt: null };
      this.notes = [note, ...this.notes];
      return ok({ note }, 201);
    }
    if (call.startsWith("POST ")) {
      const { at, text } = ReminderBody.parse(request.postDataJSON());
      const reminder = {
        ...reminderOf(applicationId, text, `${at}:00.000Z`),
        reminderId: idOf(3, 2),
      };
      this.reminders.push(reminder);
      return ok({ reminder }, 201);
    }
    return refusal(404, "application_not_found");
  }

  #reply(call: string, request: AnsweredRequest): Answer {
    switch (call) {
      case "GET /api/applications":
        return ok({ ...this.tracker, included: this.included });
      case "POST /api/applications":
        return this.#add(request);
      case "POST /api/applications/moves":
        return this.#move(request);
      case "POST /api/applications/archive": {
        const { applicationIds, archived } = Archive.parse(request.postDataJSON());
        const archivedAt = applicationCalls[
          "GET /api/applications"
        ].answer.shape.applications.element.shape.archivedAt.parse(archived ? ago(0) : null);
        return this.#change(applicationIds, (one) => ({ ...one, archivedAt }));
      }
      case "POST /api/applications/delete":
        return ok({ status: "done" });
      case "GET /api/applications/reminders":
        return ok({ reminders: this.reminders });
      case "GET /api/applications/suggestions":
        return ok({ suggestions: suggestions(), opensKnown: true });
      case "GET /api/applications/statistics":
        return ok(statistics);
      case "POST /api/applications/posting":
        return ok({ company: "Umbrella", role: "Chief nurse", place: "Acre" });
      case "POST /api/applications/import":
        return ok(imported);
      default:
        return this.#partOf(call, request);
    }
  }

  async takeOver(context: BrowserContext): Promise<void> {
    await answerCalls(
      context,
      (path) => path.startsWith("/api/applications"),
      async (route) => {
        const request = route.request();
        const call = `${request.method()} ${new URL(request.url()).pathname}`;
        this.calls.push(call);
        const instead = this.instead.get(call);
        if (instead === "awaited") return;
        if (call.startsWith("GET /api/applications/export/"))
          await route.fulfill({ body: "company,role\nAcme,Head nurse\n", contentType: "text/csv" });
        else await route.fulfill(instead ?? this.#reply(call, request));
      },
    );
  }
}

const suggestions = () => [
  {
    applicationId: applicationIdOf(0),
    code: "opened-no-answer",
    days: 9,
    opens: 3,
    lastOpenedAt: ago(1),
  },
  {
    applicationId: applicationIdOf(3),
    code: "deadline-near",
    days: 2,
    opens: 0,
    lastOpenedAt: null,
  },
];
const statistics = applicationCalls["GET /api/applications/statistics"].answer.parse({
  applications: 4,
  stages: kinds.map((kind, index) => ({
    kind,
    reached: 4 - index,
    now: 1,
    medianDays: index > 2 ? null : 3 + index,
  })),
  sources: [
    { source: "LinkedIn", applications: 3, interviews: 1 },
    { source: "", applications: 1, interviews: 0 },
  ],
});
export const imported = applicationCalls["POST /api/applications/import"].answer.parse({
  source: "csv",
  applications: [
    { details: { company: "Hooli", role: "Nurse" } },
    { details: { company: "Acme", role: "Head nurse" } },
  ],
  findings: [{ row: 3, column: "Date", code: "not-a-date", text: "spring" }],
});

/** An owner of applications whose calls are answered here. @param stack the pages alone */
export async function visitApplications(
  stack: Pick<Stack, "visit">,
  path: string,
  language: Language,
  {
    answers = new ApplicationAnswers(),
    colorScheme = language === "en" ? "light" : "dark",
  }: {
    answers?: ApplicationAnswers;
    colorScheme?: "light" | "dark";
  } = {},
) {
  const { page, visitor } = await visitAccount(stack, path, {
    language,
    colorScheme,
    alsoAnswer: async (context) => {
      await answers.takeOver(context);
      await answerLinks(context, usualLinks);
    },
  });
  return { page, visitor, answers };
}
