import type { Sql } from "@pro-talent/platform/postgres/pool";
import { until } from "@pro-talent/platform/testing/until";
import { CvState } from "@pro-talent/schemas/studio/calls";
import { z } from "zod";

import type { Person } from "./account-life.ts";
import type { FrontDoor } from "./front-door.ts";
import { pictureWith } from "./picture.ts";

const State = z.object({ cv: CvState });
const Stored = z.object({ file: z.uuid() });

/**
 * Writes a CV with a photo, edits it and takes back, names a version, copies it into the other language, and
 * gets files of it. Their plan keeps current files.
 * @returns the ids of the CVs
 */
export async function writeCvs(
  { door, sql }: { readonly door: FrontDoor; readonly sql: Sql },
  { words, signed, accountId }: Person,
): Promise<string[]> {
  const call = async (name: string, body?: object) =>
    (await door.call(State, name, body, signed)).cv;
  const made = await call("POST /api/cvs", {
    title: words.mixed("title of a CV"),
    language: "he",
    document: writtenCv(words),
  });
  const path = `/api/cvs/${made.cvId}`;
  const picture = pictureWith(words.latin("metadata of a photo in a CV")).toString("base64");
  const content = { content: picture };
  const { file } = await door.call(Stored, `POST ${path}/photo`, content, signed);
  const { document } = made;
  const photo = { file, alt: words.hebrew("description of a photo in a CV") };
  const edited = {
    ...document,
    page: { ...document.page, showPhoto: true },
    profile: { ...document.profile, photo },
  };
  await call(`POST ${path}/edits`, { basedOn: made.version, document: edited });
  await call(`POST ${path}/undo`);
  await call(`POST ${path}/redo`);
  const name = words.combining("name of a version");
  await door.ask(`PATCH ${path}/versions/2`, { name }, signed);
  const title = words.latin("title of a copied CV");
  const copy = await call("POST /api/cvs", { title, language: "en", copyOf: made.cvId });
  await door.ask("POST /api/cvs/preview", { document: edited }, signed);
  for (const format of ["pdf", "docx", "txt", "json"])
    await door.ask(`GET ${path}/files/${format}`, undefined, signed);
  await door.ask(`GET ${path}/check`, undefined, signed);
  await until(
    "the current files are kept",
    async () =>
      (await sql`select from studio.cv_file where account_id = ${accountId}`).length === 4,
    240_000,
  );
  return [made.cvId, copy.cvId];
}

const writtenCv = (words: Person["words"]) => ({
  version: 1,
  language: "he",
  page: {},
  profile: {
    fullName: words.mixed("name in a CV"),
    headline: words.upper("headline of a CV"),
    email: `${words.latin("e-mail in a CV")}@example.com`,
    phone: words.digits("telephone in a CV"),
    place: words.hebrew("place in a CV"),
    links: [{ id: "site", label: "", url: `https://example.com/${words.latin("link in a CV")}` }],
  },
  sections: [
    {
      id: "work",
      kind: "experience",
      entries: [
        {
          id: "one",
          role: words.combining("role in a CV"),
          organisation: words.mixed("organisation in a CV"),
          bullets: [{ id: "b", text: [{ text: words.mixed("text of a CV") }] }],
        },
      ],
    },
  ],
});
