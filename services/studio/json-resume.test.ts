import { expect, it } from "vitest";

import { jsonResumeOf } from "./export/json-resume.ts";
import { importJsonResume } from "./import/json-resume.ts";
import { corpus } from "./testing/corpus.ts";

const asFile = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it("a CV that was exported is the same after it is imported", () => {
  for (const { document } of corpus(18)) {
    const again = importJsonResume(asFile(jsonResumeOf(document)), "en");
    expect(again).toEqual({ document, findings: [] });
  }
});

it("another program finds the usual fields, and they are enough to read the CV again", () => {
  for (const { document } of corpus(6)) {
    const { meta: _, ...resume } = jsonResumeOf(document);
    const { document: again } = importJsonResume(asFile(resume), document.language);
    const rolesOf = (cv: typeof document) =>
      cv.sections.flatMap(({ entries, kind }) =>
        kind === "experience" ? entries.map((entry) => ("role" in entry ? entry.role : "")) : [],
      );
    expect(rolesOf(again)).toEqual(rolesOf(document));
    expect(again.profile.email).toBe(document.profile.email);
  }
});

it("what cannot be taken over is dropped and named, and the rest is read", () => {
  const { document, findings } = importJsonResume(
    {
      basics: {
        name: " Dana\u202E Levi ",
        label: 7,
        email: ["x"],
        image: "https://example.com/me.png",
      },
      work: [
        {
          company: "Carmel Health",
          position: "Nurse",
          startDate: "2020-03-17",
          highlights: ["a".repeat(3000), ""],
        },
        "not an entry",
      ],
      education: "none",
      certificates: [{ name: "CPACC", date: "last spring" }],
      references: [{ name: "Noa" }],
    },
    "en",
  );
  expect(document.profile).toMatchObject({ fullName: "Dana Levi", headline: "7", email: "" });
  expect(document.sections[0]?.entries[0]).toMatchObject({
    organisation: "Carmel Health",
    start: "2020-03",
    end: "present",
  });
  expect(findings.map(({ path, code }) => `${path} ${code}`).toSorted()).toEqual([
    "basics.email wrong-type",
    "basics.image no-place",
    "certificates.0.date not-a-date",
    "education wrong-type",
    "references no-place",
    "work.0.highlights.0 shortened",
    "work.1 wrong-type",
  ]);
});

it("what is no object is refused", () => {
  expect(() => importJsonResume("[]", "en")).toThrow("expected record");
});
