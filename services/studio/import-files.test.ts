import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { CvDocument } from "@pro-talent/schemas/studio/document";
import { templates } from "@pro-talent/schemas/studio/page";
import { plainOf } from "@pro-talent/schemas/studio/runs";
import {
  Document,
  HeadingLevel,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from "docx";
import { zipSync } from "fflate";
import { afterAll, expect, it } from "vitest";

import { docxOf } from "./export/docx.ts";
import { jsonResumeOf } from "./export/json-resume.ts";
import { readBytes } from "./import/read-bytes.ts";
import { openCvDrawer } from "./pdf/draw-cv.ts";
import { ordinaryCv } from "./testing/corpus.ts";
import { countRecovered, type Recovered, shareOf } from "./testing/measure-import.ts";
import { plainPdf } from "./testing/plain-pdf.ts";

const drawer = openCvDrawer();
afterAll(() => drawer.close());

/** What is read from a file, without ids. */
const entriesOf = ({ sections }: CvDocument, kind: string): object[] =>
  sections
    .filter((section) => section.kind === kind)
    .flatMap(({ entries }) => entries.map((entry) => withoutIds(entry)));
function withoutIds(whole: CvDocument["sections"][number]["entries"][number]) {
  const { id: _, ...entry } = whole;
  const bullets = "bullets" in entry ? entry.bullets.map(({ text }) => plainOf(text)) : undefined;
  return { ...entry, ...(bullets === undefined ? {} : { bullets }) };
}

async function recoveredShare(language: Locale, file: (cv: CvDocument) => Promise<Buffer>) {
  const recovered: Recovered = new Map();
  for (const pages of [1, 2]) {
    const cv = ordinaryCv(language, pages, {});
    const { document } = await readBytes(await file(cv), "en");
    expect(document.language).toBe(language);
    countRecovered(cv, document, recovered);
  }
  return shareOf(recovered);
}

it.each(templates)("%s: our own PDF is read again, in both languages", async (template) => {
  for (const language of ["en", "he"] as const) {
    const share = await recoveredShare(language, async (cv) => {
      const document = { ...cv, page: { ...cv.page, template } };
      return (await drawer.pdf(document, 0, { name: "cv" })).pdf;
    });
    expect(share).toBeGreaterThan(0.93);
  }
});

it("our own DOCX is read again, in both languages", async () => {
  expect(await recoveredShare("en", docxOf)).toBeGreaterThan(0.93);
  expect(await recoveredShare("he", docxOf)).toBeGreaterThan(0.93);
});

it("our own JSON Resume is the same document again", async () => {
  const cv = ordinaryCv("he", 2, {});
  const file = Buffer.from(JSON.stringify(jsonResumeOf(cv)));
  expect(await readBytes(file, "en")).toEqual({
    source: "json-resume",
    document: cv,
    findings: [],
  });
});

it("a DOCX that a person wrote: bold lines, typed bullets, a table for the dates", async () => {
  const bold = (text: string) => new Paragraph({ children: [new TextRun({ text, bold: true })] });
  const plain = (text: string) => new Paragraph(text);
  const cell = (text: string) => new TableCell({ children: [plain(text)] });
  const file = new Document({
    sections: [
      {
        children: [
          new Paragraph({ text: "Maya Cohen", heading: HeadingLevel.TITLE }),
          plain("Product manager"),
          plain("maya@example.com | 054-123-4567 | Haifa, Israel | https://linkedin.com/in/maya"),
          bold("WORK EXPERIENCE"),
          new Table({
            rows: [new TableRow({ children: [cell("Acme Ltd."), cell("01/2019 - Present")] })],
          }),
          plain("Product Manager"),
          plain("- Shipped a planner to 40 clinics"),
          plain("- Led a team of five"),
          bold("EDUCATION"),
          plain("Technion – Israel Institute of Technology, 2012-2015"),
          plain("B.Sc. in Economics"),
          bold("SKILLS"),
          plain("Figma, SQL, Jira"),
        ],
      },
    ],
  });
  const { source, document } = await readBytes(Buffer.from(await Packer.toBuffer(file)), "he");
  expect([source, document.language]).toEqual(["docx", "en"]);
  expect(document.profile).toMatchObject({
    fullName: "Maya Cohen",
    headline: "Product manager",
    email: "maya@example.com",
    phone: "054-123-4567",
    place: "Haifa, Israel",
    links: [{ label: "LinkedIn", url: "https://linkedin.com/in/maya" }],
  });
  expect(entriesOf(document, "experience")).toMatchObject([
    {
      role: "Product Manager",
      organisation: "Acme Ltd.",
      start: "2019-01",
      end: "present",
      bullets: ["Shipped a planner to 40 clinics", "Led a team of five"],
    },
  ]);
  expect(entriesOf(document, "education")).toMatchObject([
    {
      degree: "B.Sc.",
      field: "Economics",
      institution: "Technion – Israel Institute of Technology",
      start: "2012",
      end: "2015",
    },
  ]);
  expect(entriesOf(document, "skills")).toMatchObject([{ items: ["Figma", "SQL", "Jira"] }]);
});

it("a PDF without tags: titles by their size, wrapped lines, dates at the end of the line", async () => {
  const wide =
    "Planned the shifts of twelve hundred nurses in four hospitals and saved a fifth of the cost";
  const file = plainPdf([
    { text: "Noa Levi", y: 760, size: 20, bold: true },
    { text: "noa@example.com   +972 54-123-4567   Haifa, Israel", y: 740 },
    { text: "Experience", y: 710, size: 14, bold: true },
    { text: "Head nurse", y: 690, bold: true },
    { text: "Jan 2020 - Present", x: 450, y: 690 },
    { text: "Carmel Hospital, Haifa", y: 678 },
    { text: `\u0095 ${wide}`, y: 666 },
    { text: "of the year before.", x: 66, y: 654 },
    { text: "Nurse", y: 632, bold: true },
    { text: "2016 - 2019", x: 450, y: 632 },
    { text: "Negev Clinic", y: 620 },
    { text: "Languages", y: 590, size: 14, bold: true },
    { text: "Hebrew (Native), English (Fluent)", y: 572 },
  ]);
  const { document } = await readBytes(file, "en");
  expect(document.profile).toMatchObject({
    fullName: "Noa Levi",
    email: "noa@example.com",
    phone: "+972 54-123-4567",
    place: "Haifa, Israel",
  });
  expect(entriesOf(document, "experience")).toMatchObject([
    {
      role: "Head nurse",
      organisation: "Carmel Hospital",
      place: "Haifa",
      start: "2020-01",
      end: "present",
      bullets: [`${wide} of the year before.`],
    },
    { role: "Nurse", organisation: "Negev Clinic", start: "2016", end: "2019", bullets: [] },
  ]);
  expect(entriesOf(document, "languages")).toEqual([
    { name: "Hebrew", fluency: "Native" },
    { name: "English", fluency: "Fluent" },
  ]);
});

const table = (...lines: string[]): Buffer => Buffer.from(`\uFEFF${lines.join("\n")}\n`);

it("LinkedIn's archive: every table that a CV has a place for, and the others are named", async () => {
  const archive = zipSync({
    "Profile.csv": table(
      "First Name,Last Name,Maiden Name,Address,Birth Date,Headline,Summary,Industry,Zip Code,Geo Location,Twitter Handles,Websites,Instant Messengers",
      'Dana,Levi,,,,Designer,"Draws, builds",Design,,"Haifa, Israel",,[PORTFOLIO:https://dana.example.com],',
    ),
    "Email Addresses.csv": table(
      "Email Address,Confirmed,Primary",
      "old@example.com,Yes,No",
      "dana@example.com,Yes,Yes",
    ),
    "PhoneNumbers.csv": table("Extension,Number,Type", ",+972 54-123-4567,Mobile"),
    "Positions.csv": table(
      "Company Name,Title,Description,Location,Started On,Finished On",
      'Carmel,Lead designer,"• Led a team\n• Drew a ""planner""",Haifa,Mar 2021,',
      "Negev,Designer,,,2017,Feb 2021",
    ),
    "Education.csv": table(
      "School Name,Start Date,End Date,Notes,Degree Name,Activities",
      'Bezalel,2012,2016,,"B.Des., Visual Communication",',
    ),
    "Skills.csv": table("Name", "Figma", "Typography"),
    "Languages.csv": table("Name,Proficiency", "Hebrew,Native or bilingual proficiency"),
    "Certifications.csv": table(
      "Name,Url,Authority,Started On,Finished On,License Number",
      "CPACC,https://example.com/c,IAAP,Jan 2022,,12",
    ),
    "Volunteering.csv": table(
      "Company Name,Role,Cause,Started On,Finished On,Description",
      "Shelter,Cook,,2019,2020,",
    ),
    "Honors.csv": table("Title,Description,Issued On", "Best poster,,2015"),
  });
  const { source, document, findings } = await readBytes(Buffer.from(archive), "en");
  expect(source).toBe("linkedin");
  expect(document.profile).toMatchObject({
    fullName: "Dana Levi",
    email: "dana@example.com",
    phone: "+972 54-123-4567",
    place: "Haifa, Israel",
    links: [{ label: "Portfolio", url: "https://dana.example.com" }],
  });
  expect(entriesOf(document, "experience")).toMatchObject([
    {
      role: "Lead designer",
      start: "2021-03",
      end: "present",
      bullets: ["Led a team", 'Drew a "planner"'],
    },
    { role: "Designer", organisation: "Negev", start: "2017", end: "2021-02" },
  ]);
  expect(entriesOf(document, "education")).toMatchObject([
    { institution: "Bezalel", degree: "B.Des.", field: "Visual Communication", end: "2016" },
  ]);
  expect(entriesOf(document, "skills")).toMatchObject([{ items: ["Figma", "Typography"] }]);
  expect(document.sections.map(({ kind }) => kind)).toEqual(
    "summary experience education skills languages certificates volunteering".split(" "),
  );
  expect(findings.map(({ path, code, text }) => `${path} ${code} ${text}`)).toEqual([
    "Honors.csv 2 no-place Best poster, 2015",
    "Certifications.csv 2 no-place 12",
    "Email Addresses.csv 2 too-many old@example.com",
  ]);
});
