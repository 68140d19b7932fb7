import type { Reminder, Salary } from "@pro-talent/schemas/applications/application";
import type { HeldRecord, HeldValue } from "@pro-talent/schemas/privacy/held-data";

import type { HeldSource } from "../../held.ts";
import { applicationsOf, remindersOf } from "./read-models.ts";
import { readFileOf } from "./stored-files.ts";
import { type ApplicationParts, partsOf, reminderView, viewsOf } from "./views.ts";

const texts = (field: HeldValue["field"], ...values: readonly string[]): HeldRecord =>
  values.flatMap((text) => (text === "" ? [] : [{ field, text }]));

/** The applications of an account, with what was written about them, and its stages. */
export const applicationsHeld: HeldSource = {
  section: "applications",
  collect: async function heldApplications(context, { accountId, at }) {
    const { applications, pipeline } = await viewsOf(context, accountId);
    const reminders = await remindersOf(context.ledger.sql, accountId);
    const names = new Map(
      pipeline.stages.map(({ stageId, kind, name }) => [stageId, name || kind]),
    );
    const records: HeldRecord[] = [];
    for (const application of applications) {
      const { applicationId, details, stageId, createdAt, changedAt } = application;
      const parts = await partsOf(context, applicationId);
      if (parts === undefined) continue;
      const own = reminders.filter((row) => row.applicationId === applicationId);
      records.push([
        { field: "company", text: details.company },
        ...texts("role", details.role),
        ...texts("location", details.place),
        ...texts("source", details.source),
        ...texts("url", details.jobUrl),
        ...texts("stage", names.get(stageId) ?? ""),
        ...texts("salary", salaryText(details.salary)),
        ...texts("deadline", details.deadline ?? ""),
        ...texts("applied-on", details.appliedOn ?? ""),
        ...details.contacts.flatMap(({ name, role, email, phone, note }) =>
          texts("contact", [name, role, email, phone, note].filter(Boolean).join(", ")),
        ),
        ...wordsOf(parts),
        ...own.flatMap((row) => {
          const text = parts.reminderTexts.get(row.reminderId) ?? "";
          return reminderText(reminderView(row, text, at));
        }),
        { field: "created-at", at: createdAt },
        { field: "changed-at", at: changedAt },
      ]);
    }
    const named = pipeline.stages.flatMap(({ name }) => texts("stage", name));
    return named.length === 0 ? records : [named, ...records];
  },
  files: async function* filesOf(context, store, { accountId }) {
    for (const { applicationId, fileIds } of await applicationsOf(context.ledger.sql, accountId)) {
      if (fileIds.length === 0) continue;
      for (const file of (await partsOf(context, applicationId))?.files ?? []) {
        const content = await readFileOf(store, file.fileId, file);
        if (content !== undefined) yield { name: file.name, content };
      }
    }
  },
};

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
