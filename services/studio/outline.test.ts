import { readFileSync } from "node:fs";

import { readCvDocument } from "@pro-talent/schemas/studio/migrate";
import { expect, it } from "vitest";

import { jsonResumeOf } from "./export/json-resume.ts";
import { plainTextOf } from "./export/plain-text.ts";
import { fieldsOf } from "./fields.ts";
import { outlineOf } from "./outline.ts";

const stored = () =>
  readCvDocument(
    JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/document.v1.json`, "utf8")),
  );

it("plain text has every field once, in the order of the page, and nothing that is hidden", () => {
  const text = plainTextOf(outlineOf(stored()));
  expect(text).toMatchInlineSnapshot(`
    "Dana Levi
    Product designer
    dana.levi@example.com
    +972 54 123 4567
    Haifa, Israel
    Portfolio: dana.example.com/work

    Summary
    Designer of tools for nurses and planners; see the case study.

    Experience
    Lead designer
    Carmel Health
    Haifa
    Mar 2020 – Present
    carmel.example.com
    - Cut the time to plan a shift from 42 to 9 minutes.

    Education
    B.Sc., Computer Science
    Technion
    Haifa
    2009 – Jul 2013
    Grade: 91/100

    Projects
    Open shift
    Maintainer
    Jan 2022 – May 2023
    example.com/open-shift
    - C++ engine, .NET client.

    Tools
    Design: Figma, Blender

    Languages
    Hebrew: Native

    Certificates
    CPACC
    IAAP
    Nov 2021
    example.com/cpacc

    Publications
    Shifts without tears
    CHI
    2023
    Best paper.

    Military service
    Sergeant
    Medical Corps
    Aug 2006 – Aug 2008
    "
  `);
  let at = 0;
  for (const field of fieldsOf(outlineOf(stored())).filter(({ path }) => !path.endsWith("dates"))) {
    const next = text.indexOf(field.text, at);
    expect([field.path, next >= 0]).toEqual([field.path, true]);
    if (!/\.(?:place|subtitle)$/.test(field.path)) at = Math.max(at, next);
  }
  expect(text).not.toContain("Mentor");
});

it("dates are words of the language", () => {
  const dates = (language: "en" | "he") =>
    outlineOf({ ...stored(), language })
      .sections.flatMap(({ entries }) => entries)
      .map((entry) => entry.dates)
      .filter((text) => text !== "");
  expect(dates("en").slice(0, 2)).toEqual(["Mar 2020 – Present", "2009 – Jul 2013"]);
  expect(dates("he").slice(0, 2)).toEqual(["מרץ 2020 – היום", "2009 – יולי 2013"]);
});

it("JSON Resume has the usual fields, and the whole document beside them", () => {
  const resume = jsonResumeOf(stored());
  expect(resume["basics"]).toMatchObject({ name: "Dana Levi", email: "dana.levi@example.com" });
  expect(resume["work"]).toEqual([
    {
      name: "Carmel Health",
      position: "Lead designer",
      location: "Haifa",
      url: "https://carmel.example.com/",
      startDate: "2020-03",
      highlights: ["Cut the time to plan a shift from 42 to 9 minutes."],
    },
  ]);
  const meta: unknown = resume["meta"];
  expect(meta).toMatchObject({ document: stored() });
});
