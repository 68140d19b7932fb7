import type { CvDocument } from "@pro-talent/schemas/studio/document";
import { readCvDocument } from "@pro-talent/schemas/studio/migrate";
import { templates } from "@pro-talent/schemas/studio/page";

import { outlineOf } from "../outline.ts";
import type { CvDrawer } from "../pdf/draw-cv.ts";
import { corpusWords } from "./corpus-words.ts";
import { type OpenResumeRead, openResumeParser } from "./read-with-open-resume.ts";

const names = ["Dana Levi", "Amelia Carter", "Noah Bennett", "Grace Coleman", "Daniel Reyes"];
const cities = ["Austin, TX", "Portland, OR", "Boston, MA", "Chicago, IL"];
const schools = ["University of Texas", "Boston College", "Portland State University"];
const degrees = ["Bachelor of Science", "Master of Science", "Bachelor of Arts"];
const { roles, organisations, fields, verbs, objects, ends, skills } = corpusWords.en;
/** Characters with accents and Hebrew are no part of the parser's own patterns. */
const latin = (text: string): boolean => /^[\x20-\x7E]+$/.test(text);

/** A CV as it is usual in the United States, of one or two pages; the same for the same index. */
function usualCv(index: number): CvDocument {
  const pick = (items: readonly string[], step = 0): string =>
    items.filter(latin)[(index + step) % items.filter(latin).length] ?? "";
  const sentence = (step: number): string =>
    `${pick(verbs, step)} ${pick(objects, step * 3)} ${pick(ends, step * 5)}.`;
  const text = (step: number) => [{ text: sentence(step) }];
  const job = (number: number) => ({
    id: `job${number}`,
    role: pick(roles, number),
    organisation: pick(organisations, number),
    place: pick(cities, number),
    start: `${2020 - number * 3}-0${1 + ((index + number) % 9)}`,
    end: number === 0 ? "present" : `${2023 - number * 3}-0${1 + ((index + number) % 9)}`,
    bullets: [0, 1, 2].map((bullet) => ({
      id: `job${number}b${bullet}`,
      text: text(number * 3 + bullet),
    })),
  });
  const section = (kind: string, ...entries: object[]) => ({ id: kind, kind, entries });
  return readCvDocument({
    version: 1,
    language: "en",
    page: { size: "us", template: templates[index % templates.length] },
    profile: {
      fullName: pick(names),
      headline: pick(roles),
      email: `person${index}@mail.example.com`,
      phone: `(512) 555-01${10 + (index % 90)}`,
      place: pick(cities),
      links: [{ id: "link", url: `https://www.linkedin.com/in/person${index}` }],
    },
    sections: [
      section("summary", { id: "summary0", text: [{ text: [1, 2, 3].map(sentence).join(" ") }] }),
      section(
        "experience",
        ...Array.from({ length: 2 + (Math.floor(index / 4) % 2) }, (_, number) => job(number)),
      ),
      section("education", {
        id: "education0",
        institution: pick(schools),
        degree: pick(degrees),
        field: pick(fields),
        grade: `3.${index % 10}`,
        start: "2004-09",
        end: "2008-06",
      }),
      section("projects", {
        id: "project0",
        name: `Atlas ${index}`,
        start: "2019-02",
        end: "2019-11",
        bullets: [{ id: "project0b0", text: text(7) }],
      }),
      section("skills", {
        id: "skills0",
        name: "Tools",
        items: [...new Set([0, 1, 2, 3].map((step) => pick(skills, step)))],
      }),
    ],
  });
}

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim().toLowerCase();

/** Each field that the parser has a place for: its name, its text, and what the parser has in that place. */
function compared(
  document: CvDocument,
  read: OpenResumeRead,
): (readonly [name: string, text: string, got: string])[] {
  const { name, headline: _, contacts, sections } = outlineOf(document);
  const entries = (kind: string) =>
    sections.filter((one) => one.kind === kind).flatMap((one) => one.entries);
  const [email = "", phone = "", place = "", url = ""] = contacts.map(({ text }) => text);
  const { profile } = read;
  const bulletsOf = (bullets: readonly { readonly text: string }[][], got: string[] | undefined) =>
    bullets.map(
      (runs, index) =>
        ["bullet", runs.map(({ text }) => text).join(""), got?.[index] ?? ""] as const,
    );
  return [
    ["name", name, profile.name],
    ["email", email, profile.email],
    ["phone", phone, profile.phone],
    ["location", place, profile.location],
    ["url", url, profile.url],
    [
      "summary",
      entries("summary")
        .flatMap(({ note }) => note.map(({ text }) => text))
        .join(""),
      profile.summary,
    ],
    ...entries("experience").flatMap((entry, index) => {
      const got = read.workExperiences[index];
      return [
        ["job title", entry.title, got?.jobTitle ?? ""] as const,
        ["company", entry.subtitle, got?.company ?? ""] as const,
        ["job dates", entry.dates, got?.date ?? ""] as const,
        ...bulletsOf(
          entry.bullets.map((bullet) => [...bullet]),
          got?.descriptions,
        ),
      ];
    }),
    ...entries("education").flatMap((entry, index) => {
      const got = read.educations[index];
      return [
        ["school", entry.subtitle, got?.school ?? ""] as const,
        ["degree", entry.title, got?.degree ?? ""] as const,
        ["study dates", entry.dates, got?.date ?? ""] as const,
        [
          "grade",
          entry.note
            .map(({ text }) => text)
            .join("")
            .replace("Grade: ", ""),
          got?.gpa ?? "",
        ] as const,
      ];
    }),
    ...entries("projects").flatMap((entry, index) => {
      const got = read.projects[index];
      return [
        ["project", entry.title, got?.project ?? ""] as const,
        ["project dates", entry.dates, got?.date ?? ""] as const,
        ...bulletsOf(
          entry.bullets.map((bullet) => [...bullet]),
          got?.descriptions,
        ),
      ];
    }),
    ...entries("skills").flatMap(({ items }) =>
      items.map(
        (item) =>
          [
            "skill",
            item,
            [
              ...read.skills.descriptions,
              ...read.skills.featuredSkills.map(({ skill }) => skill),
            ].join(" "),
          ] as const,
      ),
    ),
  ];
}

type Count = { found: number; of: number };

/**
 * Has OpenResume's parser read CVs in the format of the United States, a quarter of them in each template.
 * @param checkout a folder outside of this repository
 * @returns by template how many fields have their text in the parser's own field, and the names of those that do not
 */
export async function measureOpenResume(drawer: CvDrawer, checkout: string, cvs: number) {
  const parse = await openResumeParser(checkout);
  const counts = new Map<string, Count>();
  const missed = new Map<string, number>();
  for (let index = 0; index < cvs; index += 1) {
    const document = usualCv(index);
    const { template } = document.page;
    const count = counts.get(template) ?? { found: 0, of: 0 };
    counts.set(template, count);
    const { pdf } = await drawer.pdf(document, 0, { name: `${index}` });
    for (const [name, text, got] of compared(document, await parse(pdf))) {
      const isFound = plain(got).includes(plain(text));
      count.of += 1;
      if (isFound) count.found += 1;
      else missed.set(`${template} ${name}`, (missed.get(`${template} ${name}`) ?? 0) + 1);
    }
  }
  return { counts, missed };
}
