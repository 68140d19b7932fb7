import type { Application, Reminder, Salary } from "@pro-talent/schemas/applications/application";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { HeldRecord, HeldValue } from "@pro-talent/schemas/privacy/held-data";

import type { HeldSource } from "../../held.ts";
import { applicationsOf, type ReminderRow, remindersOf } from "./read-models.ts";
import { readFileOf } from "./stored-files.ts";
import { type ApplicationParts, partsOf, reminderView, viewsOf } from "./views.ts";

/** Applications whose events are in memory at the same time. */
const atOnce = 500;

const texts = (field: HeldValue["field"], ...values: readonly string[]): HeldRecord =>
  values.flatMap((text) => (text === "" ? [] : [{ field, text }]));

/** The applications of an account, with what was written about them, and its stages. */
export const applicationsHeld: HeldSource = {
  section: "applications",
  collect: async function heldApplications(context, { accountId, at }) {
    const { applications, pipeline } = await viewsOf(context, accountId);
    const reminders = await remindersOf(context.ledger.sql, accountId);
    const byApplication = Map.groupBy(reminders, ({ applicationId }) => applicationId);
    const records: HeldRecord[] = pipeline.stages.flatMap(({ name }) =>
      name === "" ? [] : [[{ field: "stage", text: name }]],
    );
    const names = new Map(
      pipeline.stages.map(({ stageId, kind, name }) => [stageId, name || kind]),
    );
    for (let first = 0; first < applications.length; first += atOnce) {
      const some = applications.slice(first, first + atOnce);
      const parts = await partsOf(
        context,
        some.map(({ applicationId }) => applicationId),
      );
      for (const application of some) {
        const { applicationId } = application;
        const own = parts.get(applicationId);
        const rows = byApplication.get(applicationId) ?? [];
        const stage = names.get(application.stageId) ?? "";
        if (own !== undefined) records.push(recordOf({ application, own, rows, stage, at }));
      }
    }
    return records;
  },
  files: async function* filesOf(context, store, { accountId }) {
    for (const { applicationId, fileIds } of await applicationsOf(context.ledger.sql, accountId)) {
      if (fileIds.length === 0) continue;
      const parts = (await partsOf(context, [applicationId])).get(applicationId);
      for (const file of parts?.files ?? []) {
        const content = await readFileOf(store, file.fileId, file);
        if (content !== undefined) yield { name: file.name, content };
      }
    }
  },
};

type Held = {
  readonly application: Application;
  readonly own: ApplicationParts;
  readonly rows: readonly ReminderRow[];
  readonly stage: string;
  readonly at: Instant;
};

function recordOf({ application, own, rows, stage, at }: Held): HeldRecord {
  const { details, createdAt, changedAt } = application;
  return [
    { field: "company", text: details.company },
    ...texts("role", details.role),
    ...texts("location", details.place),
    ...texts("source", details.source),
    ...texts("url", details.jobUrl),
    ...texts("stage", stage),
    ...texts("salary", salaryText(details.salary)),
    ...texts("deadline", details.deadline ?? ""),
    ...texts("applied-on", details.appliedOn ?? ""),
    ...details.contacts.flatMap(({ name, role, email, phone, note }) =>
      texts("contact", [name, role, email, phone, note].filter(Boolean).join(", ")),
    ),
    ...wordsOf(own),
    ...rows.flatMap((row) => {
      const text = own.reminderTexts.get(row.reminderId) ?? "";
      return reminderText(reminderView(row, text, at));
    }),
    { field: "created-at", at: createdAt },
    { field: "changed-at", at: changedAt },
  ];
}

const wordsOf = ({ notes, files }: ApplicationParts): HeldRecord => [
  ...texts("note", ...notes.map(({ text }) => text)),
  ...texts("file", ...files.map(({ name }) => name)),
];

const reminderText = ({ at, zone, text }: Reminder): HeldRecord =>
  texts("reminder", `${at} (${zone}): ${text}`);

function salaryText(salary: Salary | null): string {
  if (salary === null) return "";
  const { from, to, currency, per } = salary;
  return `${[from, to].filter((amount) => amount !== null).join("–")} ${currency} / ${per}`;
}
