import fc from "fast-check";
import { expect, it } from "vitest";

import { contactsIn } from "./import/contact.ts";
import { textOfPart } from "./import/lines.ts";
import { monthIn, periodIn } from "./import/periods.ts";
import { partsInOrder } from "./import/reading-order.ts";
import { kindOfTitle } from "./import/titles.ts";

it.each([
  ["Jan 2020 – Present", "2020-01", "present"],
  ["2019-2021", "2019", "2021"],
  ["03/2018 - 11/2019", "2018-03", "2019-11"],
  ["September 2015 to June 2016", "2015-09", "2016-06"],
  ["2015-03 – 2016-04", "2015-03", "2016-04"],
  ["ינואר 2020 – היום", "2020-01", "present"],
  ["מרץ 2018 עד אפריל 2019", "2018-03", "2019-04"],
  ["2021 – 2019", "2019", "2021"],
  ["Jan 2018 - Mar 2021 (3 years 3 months)", "2018-01", "2021-03"],
  ["Haifa, 2014", "2014", ""],
])("%s is a period", (text, start, end) => {
  expect(periodIn(text)?.period).toEqual({ start, end });
});

it.each(["Led 2000 people to 1999 goals", "Hall 2019b", "Atelier 42", "v2.1", "1,200"])(
  "%s is no period",
  (text) => {
    expect(periodIn(text)).toBeUndefined();
  },
);

it("every month in words is read as the month that it is, in both languages", () => {
  const months = fc.integer({ min: 1, max: 12 });
  const years = fc.integer({ min: 1950, max: 2050 });
  fc.assert(
    fc.property(months, years, fc.constantFrom("en", "he"), (month, year, language) => {
      const name = new Date(Date.UTC(2020, month - 1, 1)).toLocaleString(language, {
        month: "long",
        timeZone: "UTC",
      });
      expect(monthIn(`${name} ${year}`)).toBe(`${year}-${String(month).padStart(2, "0")}`);
    }),
  );
});

it("contact data are found in one line, with and without labels, in both languages", () => {
  const line =
    "Email: dana@example.com | טלפון: 054-123-4567 • Portfolio: dana.example.com/work Haifa";
  const { emails, phones, links, rest } = contactsIn(line);
  expect([emails, phones]).toEqual([["dana@example.com"], ["054-123-4567"]]);
  expect(links).toEqual([{ label: "Portfolio", url: "dana.example.com/work" }]);
  expect(rest.replaceAll(/[|•\s]/g, "")).toBe("Haifa");
  expect(contactsIn("2016 - 2019 Node.js and B.Sc.").links).toEqual([]);
});

it("usual titles of sections are known in both languages, however they are set", () => {
  expect(
    ["WORK EXPERIENCE:", "השכלה", "• Skills", "ניסיון תעסוקתי", "Carmel"].map(kindOfTitle),
  ).toEqual(["experience", "education", "skills", "experience", undefined]);
});

it("a line from right to left is read in its order, with Latin words and numbers in it", () => {
  const placed = (text: string, x: number, width: number) => ({
    text,
    x,
    width,
    y: 0,
    size: 10,
    bold: false,
    italic: false,
    link: null,
  });
  // On the page from left to right: `2019 – 2016`, a wide gap, `C++ Node.js` and a Hebrew word.
  const line = [
    placed("2019", 0, 20),
    placed("–", 23, 5),
    placed("2016", 31, 20),
    placed("Node.js", 103, 30),
    placed(",", 100, 3),
    placed("C+", 75, 15),
    placed("+", 90, 7),
    placed("שפות", 136, 24),
  ];
  expect(partsInOrder(line, true).map(textOfPart)).toEqual(["שפות Node.js, C++", "2016 – 2019"]);
});
