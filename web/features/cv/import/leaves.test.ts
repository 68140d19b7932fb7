import { CvDocument } from "@pro-talent/schemas/studio/document";
import { readCvDocument } from "@pro-talent/schemas/studio/migrate";
import { expect, test } from "vitest";

import { leafGroups, withoutSkipped } from "./leaves.ts";

const document = readCvDocument({
  version: 1,
  language: "en",
  page: {},
  profile: {
    fullName: "Dana Levi",
    phone: "054 1234567",
    links: [{ id: "l", label: "Work", url: "https://example.com" }],
  },
  sections: [
    {
      id: "s",
      kind: "experience",
      entries: [
        {
          id: "e",
          role: "Nurse",
          start: "2020",
          bullets: [
            { id: "b1", text: [{ text: "Led" }] },
            { id: "b2", text: [{ text: "Taught" }] },
          ],
        },
      ],
    },
    { id: "t", kind: "skills", entries: [{ id: "f", items: ["Care"] }] },
  ],
});
const paths = (of: CvDocument): string[] =>
  leafGroups(of).flatMap(({ leaves }) => leaves.map(({ path }) => path));

test("every stated field can be reviewed, and nothing that is empty", () => {
  expect(paths(document)).toEqual([
    "profile/fullName",
    "profile/phone",
    "profile/links/l/url",
    "sections/s/entries/e/role",
    "sections/s/entries/e/start",
    "sections/s/entries/e/bullets/b1/text",
    "sections/s/entries/e/bullets/b2/text",
    "sections/t/entries/f/items",
  ]);
});

test("what is skipped is left out, and with its last field an entry and a section", () => {
  const skipped = new Set([
    "profile/phone",
    "profile/links/l/url",
    "sections/s/entries/e/bullets/b1/text",
    "sections/t/entries/f/items",
  ]);
  const rest = withoutSkipped(document, skipped);
  expect(CvDocument.parse(rest)).toEqual(rest);
  expect(paths(rest)).toEqual([
    "profile/fullName",
    "sections/s/entries/e/role",
    "sections/s/entries/e/start",
    "sections/s/entries/e/bullets/b2/text",
  ]);
  expect(rest.sections.map(({ id }) => id)).toEqual(["s"]);
  expect(withoutSkipped(document, new Set())).toEqual(document);
});
