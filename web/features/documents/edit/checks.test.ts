import { readCvDocument } from "@pro-talent/schemas/studio/migrate";
import { expect, test } from "vitest";

import { findingsIn } from "./checks.ts";

const cv = (profile: object, sections: object[] = []) =>
  readCvDocument({
    version: 1,
    language: "en",
    page: {},
    profile: { fullName: "Dana Levi", email: "dana@example.com", ...profile },
    sections,
  });
const worked = (position: object) =>
  cv({}, [{ id: "s", kind: "experience", entries: [{ id: "e", role: "Nurse", ...position }] }]);
const codes = (document: ReturnType<typeof cv>): string[] =>
  findingsIn(document).map(({ path, code }) => `${path} ${code}`);

test("a CV with a name and an address has nothing to look at", () => {
  expect(codes(cv({}))).toEqual([]);
});

test("a missing name, a missing contact and contact data that look wrong are named at their fields", () => {
  expect(codes(cv({ fullName: "", email: "" }))).toEqual([
    "profile/fullName noName",
    "profile/email noContact",
  ]);
  const links = [{ id: "l", label: "", url: "javascript:x" }];
  expect(codes(cv({ email: "dana@", phone: "call me", links }))).toEqual([
    "profile/email email",
    "profile/phone phone",
    "profile/links/l/url url",
  ]);
});

test.each([
  [{ start: "2020-05", end: "2019-12" }, ["sections/s/entries/e/end endFirst"]],
  [{ start: "2020-05", end: "2020" }, []],
  [{ start: "2020-05", end: "present" }, []],
  [{ start: "2020-05" }, ["sections/s/entries/e/end noEnd"]],
  [{ end: "2020" }, ["sections/s/entries/e/start noStart"]],
  [{}, ["sections/s/entries/e/start noStart"]],
])("a position with the dates %j", (dates, expected) => {
  expect(codes(worked(dates))).toEqual(expected);
});

test("a point of more than two lines is named, and an empty section that is shown", () => {
  const text = [{ text: "word ".repeat(50) }];
  const bullets = [{ id: "b", text }];
  expect(codes(worked({ start: "2020", end: "2021", bullets }))).toEqual([
    "sections/s/entries/e/bullets/b/text longBullet",
  ]);
  const empty = { id: "s", kind: "skills", entries: [{ id: "e", name: "" }] };
  expect(codes(cv({}, [empty]))).toEqual(["sections/s emptySection"]);
  expect(codes(cv({}, [{ ...empty, shown: false }]))).toEqual([]);
});
