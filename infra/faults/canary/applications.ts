import { randomUUID } from "node:crypto";

import { applicationCalls } from "@pro-talent/schemas/applications/calls";
import { applicationPartCalls } from "@pro-talent/schemas/applications/part-calls";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { localTimeIn } from "@pro-talent/schemas/primitives/local-time";

import type { Person } from "./account-life.ts";
import type { Instance } from "./instance.ts";
import { pictureWith } from "./picture.ts";

const Listed = applicationCalls["GET /api/applications"].answer;
const Added = applicationCalls["POST /api/applications"].answer;
const Planned = applicationPartCalls["POST /api/applications/:applicationId/reminders"].answer;
const zone = "Asia/Jerusalem";

/**
 * Adds applications, names stages, writes notes, stores files, and is reminded of one by mail. One application
 * and a note are deleted.
 * @returns ids of what was added
 */
export async function trackApplications(
  instance: Instance,
  person: Person,
  linkIds: readonly string[],
): Promise<string[]> {
  const { door } = instance;
  const { words, signed } = person;
  const { stages } = await door.call(Listed, "GET /api/applications", undefined, signed);
  const named = stages.map((stage) => ({ ...stage, name: words.hebrew(`stage ${stage.kind}`) }));
  await door.ask("PUT /api/applications/stages", { stages: named }, signed);
  const sent = { linkIds };
  const added = {
    applications: [{ details: written(person), sent }, { details: written(person) }],
  };
  const answer = await door.call(Added, "POST /api/applications", added, signed);
  const ids = answer.applications.map(({ applicationId }) => applicationId);
  const path = `/api/applications/${ids[0] ?? ""}`;
  await door.ask(`PATCH ${path}`, { details: written(person) }, signed);
  for (const text of [words.mixed("note"), words.compressed("compressed in a note")])
    await door.ask(`POST ${path}/notes`, { text: `${text}\n${words.combining("note")}` }, signed);
  const { notes } = await door.call(
    applicationCalls["GET /api/applications/:applicationId"].answer,
    `GET ${path}`,
    undefined,
    signed,
  );
  await door.ask(`DELETE ${path}/notes/${notes[0]?.noteId ?? ""}`, undefined, signed);
  const content = pictureWith(words.latin("metadata of a file")).toString("base64");
  const file = { name: `${words.hebrew("name of a file")}.png`, content };
  await door.ask(`POST ${path}/files`, file, signed);
  const stageId = stages.find(({ kind }) => kind === "applied")?.stageId;
  await door.ask("POST /api/applications/moves", { applicationIds: ids, stageId }, signed);
  const reminderId = await remind(instance, person, path);
  await door.ask("POST /api/applications/delete", { applicationIds: ids.slice(1) }, signed);
  for (const shown of ["suggestions", "statistics"])
    await door.ask(`GET /api/applications/${shown}`, undefined, signed);
  return [...ids, reminderId];
}

const written = ({ words }: Person) => ({
  company: words.mixed("company"),
  role: words.hebrew("role"),
  place: words.upper("place of work"),
  source: words.latin("source"),
  jobUrl: `https://jobs.example.com/${words.latin("posting")}`,
  contacts: [
    {
      contactId: randomUUID(),
      name: words.combining("name of a contact"),
      phone: words.digits("telephone of a contact"),
      note: words.hebrew("note about a contact"),
    },
  ],
});

/** Plans a reminder, and waits until it is mailed. @returns its id */
async function remind(
  { door, clock, moveDays }: Instance,
  { words, signed, email }: Person,
  path: string,
): Promise<string> {
  const at = localTimeIn(instantFromMs(clock() + 2 * 60_000), zone);
  const plan = { at, zone, text: words.mixed("text of a reminder"), byMail: true };
  const { reminder } = await door.call(Planned, `POST ${path}/reminders`, plan, signed);
  await moveDays(3 / (24 * 60));
  await door.untilMailed(email, path.slice("/api".length));
  return reminder.reminderId;
}
