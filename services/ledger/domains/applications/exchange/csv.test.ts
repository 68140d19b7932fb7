import {
  type Application,
  ApplicationDetails,
  Salary,
  type Stage,
  stageKinds,
} from "@pro-talent/schemas/applications/application";
import { NewApplication } from "@pro-talent/schemas/applications/calls";
import { applicationLimits } from "@pro-talent/schemas/applications/limits";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { locales } from "@pro-talent/schemas/primitives/locale";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { decodeText } from "../decode-text.ts";
import { readCsv } from "./read-csv.ts";
import { stageFinder } from "./stages.ts";
import { writeCsv } from "./write-csv.ts";

const uuid = (number: number): string =>
  `0190d7a4-3c1e-7b6a-9d2f-${number.toString(16).padStart(12, "0")}`;
const stages: Stage[] = stageKinds.map((kind, index) => ({ stageId: uuid(index), kind, name: "" }));
const stageOf = (kind: (typeof stageKinds)[number]): string | undefined =>
  stages.find((stage) => stage.kind === kind)?.stageId;

const imported = (table: string, own: readonly Stage[] = stages) => {
  const read = readCsv(table, stageFinder(own));
  return {
    applications: read?.applications.map((one) => NewApplication.parse(one)) ?? [],
    details: read?.applications.map(({ details }) => ApplicationDetails.parse(details)) ?? [],
    findings: read?.findings ?? [],
  };
};
const first = (table: string) => imported(table).details[0];

describe("a table of another tracker", () => {
  it("of LinkedIn's archive has American dates, and addresses that are the applicant's own", () => {
    const { details, findings } = imported(
      "Application Date,Contact Email,Contact Phone Number,Company Name,Job Title,Job Url,Resume Name,Question And Answers\n" +
        '"3/4/24, 2:22 PM",me@example.com,050,Acme,Engineer,https://www.linkedin.com/jobs/view/1,cv.pdf,"Years? 6"\n',
    );
    expect(details[0]).toMatchObject({
      company: "Acme",
      role: "Engineer",
      jobUrl: "https://www.linkedin.com/jobs/view/1",
      appliedOn: "2024-03-04",
      contacts: [],
    });
    expect(findings).toContainEqual({
      row: 2,
      column: "Question And Answers",
      code: "no-place",
      text: "Years? 6",
    });
    expect(
      first("Saved Date,Job Url,Job Title,Company Name\n1/2/26,u,Engineer,Acme\n"),
    ).toMatchObject({ company: "Acme", role: "Engineer", appliedOn: null });
  });

  it("of Reactive Resume", () => {
    const { applications } = imported(
      "\uFEFFCompany,Role,Stage,Stage Date,Application Date,Location,Salary,Source,URL,Tags,Contacts,Notes,Archived\r\n" +
        'Acme,Engineer,interview,2026-02-01,2026-01-15,Haifa,"$120,000",Friend,https://acme.example/1,a;b,"Dana (HR)",Nice,false\r\n',
    );
    expect(applications[0]).toMatchObject({
      stageId: stageOf("interviewing"),
      note: "Nice",
      details: {
        company: "Acme",
        role: "Engineer",
        place: "Haifa",
        source: "Friend",
        jobUrl: "https://acme.example/1",
        salary: { from: 120_000, to: 120_000, currency: "USD", per: "year" },
        appliedOn: "2026-01-15",
      },
    });
  });

  it("of JobSync, whose empty fields say so", () => {
    const { applications, findings } = imported(
      "index,createdAt,applied,appliedDate,Company,JobTitle,jobType,Location,JobSource,Status\r\n" +
        "1,2026-01-01,Yes,2026-01-15,Acme,Engineer,Full Time,Haifa,Indeed,applied\r\n" +
        "2,2026-01-01,No,N/A,Wix,Designer,Full Time,N/A,N/A,N/A\r\n",
    );
    expect(applications.map(({ details }) => [details.company, details.appliedOn])).toEqual([
      ["Acme", "2026-01-15"],
      ["Wix", null],
    ]);
    expect(applications.map(({ stageId }) => stageId)).toEqual([stageOf("applied"), undefined]);
    expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(["no-place"]));
  });

  it("of Huntr or Teal, by their usual titles", () => {
    expect(
      first(
        "Job Position,Company,Min Salary,Max Salary,Currency,Location,Status,Date Saved,Deadline,Date Applied\nEngineer,Acme,20000,25000,ILS,Haifa,Applied,,31.12.2026,15.11.2026\n",
      ),
    ).toMatchObject({
      role: "Engineer",
      salary: { from: 20_000, to: 25_000, currency: "ILS", per: "month" },
      deadline: "2026-12-31",
      appliedOn: "2026-11-15",
    });
    expect(
      first("Company,Title,List Name,Job Post URL\nAcme,Engineer,Wishlist,https://a.example\n"),
    ).toMatchObject({ role: "Engineer", jobUrl: "https://a.example" });
  });
});

/** A table of one's own, in Hebrew. */
const hebrewTable = [
  ["מעקב מועמדויות 2026"],
  ["חברה", "תפקיד", "סטטוס", "תאריך הגשה", "שכר", "איש קשר", "הערות"],
  ["אקמי בע״מ", "מפתחת", "ראיון", "31/01/2026", "18,000-22,000 ₪ לחודש", "דנה", "לחזור אליהם"],
  ["וויקס", "מעצב", "נדחתה", "02/02/2026", "משא ומתן", "", ""],
]
  .map((row) => row.map((cell) => (/[,"]/u.test(cell) ? `"${cell}"` : cell)).join(","))
  .join("\r\n");

describe("a table of one's own", () => {
  const expectRead = (text: string): void => {
    const { applications, findings } = imported(text);
    expect(applications.map(({ details }) => details)).toMatchObject([
      {
        company: "אקמי בע״מ",
        role: "מפתחת",
        appliedOn: "2026-01-31",
        salary: { from: 18_000, to: 22_000, currency: "ILS", per: "month" },
        contacts: [{ name: "דנה" }],
      },
      { company: "וויקס", salary: null, appliedOn: "2026-02-02", contacts: [] },
    ]);
    expect(applications.map(({ stageId }) => stageId)).toEqual([
      stageOf("interviewing"),
      stageOf("rejected"),
    ]);
    expect(applications.map(({ note }) => note)).toEqual(["לחזור אליהם", undefined]);
    expect(findings).toEqual([{ row: 4, column: "שכר", code: "not-a-salary", text: "משא ומתן" }]);
  };

  it.each<[string, string]>([
    ["commas", hebrewTable],
    ["lines of Unix", hebrewTable.replaceAll("\r\n", "\n")],
    ["empty lines", hebrewTable.replace("\r\n", "\r\n") + "\r\n\r\n,,,,\r\n"],
    ["semicolons", hebrewTable.replaceAll(",", ";").replace("18;000-22;000", "18,000-22,000")],
    ["tabs", hebrewTable.replaceAll(",", "\t").replace("18\t000-22\t000", "18,000-22,000")],
  ])("with %s", (_what, table) => expectRead(table));

  it("states its delimiter in a first line, as Excel writes it", () => {
    const table = "sep=;\r\nCompany;Role\r\nAcme;Engineer, senior\r\n";
    expect(first(table)).toMatchObject({ company: "Acme", role: "Engineer, senior" });
  });

  it.each<[string, Buffer]>([
    ["UTF-8", Buffer.from(hebrewTable)],
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${hebrewTable}`)],
    ["UTF-16, as Excel's Unicode text", Buffer.from(`\uFEFF${hebrewTable}`, "utf16le")],
    ["UTF-16 with the other order", Buffer.from(`\uFEFF${hebrewTable}`, "utf16le").swap16()],
    ["UTF-16 without a mark", Buffer.from(hebrewTable, "utf16le")],
    [
      "windows-1255, as a Hebrew Excel",
      Buffer.from(
        Array.from(hebrewTable, (sign) => {
          const code = sign.charCodeAt(0);
          const isHebrew = sign >= "א" && sign <= "ת";
          return isHebrew ? code - 0x5d0 + 0xe0 : ({ "₪": 0xa4, "״": 0xd8 }[sign] ?? code);
        }),
      ),
    ],
  ])("is in %s", (_what, bytes) => expectRead(decodeText(bytes).replace(/^\uFEFF/u, "")));

  it("in the encoding of Western Europe keeps its accents", () => {
    const table = Buffer.from("Company,Role\nSociété Générale,Ingénieur\n", "latin1");
    expect(first(decodeText(table))).toMatchObject({
      company: "Société Générale",
      role: "Ingénieur",
    });
  });

  it("has quotes as RFC 4180 knows them, and as people type them", () => {
    const table =
      'Company,Role\r\n"Acme, ""the"" company\r\nof all",Engineer\r\nWix "IL",a "b" c\r\n';
    expect(imported(table).details.map(({ company, role }) => [company, role])).toEqual([
      ['Acme, "the" company of all', "Engineer"],
      ['Wix "IL"', 'a "b" c'],
    ]);
    expect(first('Company,Role\n"Acme,Engineer\n')).toMatchObject({
      company: '"Acme',
      role: "Engineer",
    });
  });

  it.each([
    ["", "nothing"],
    ["just a text", "no table"],
    ["a,b,c\n1,2,3\n", "no known title"],
    ["Role,Salary\nEngineer,5\n", "no companies"],
    ["PK\u0003\u0004", "an archive"],
    [`Company\n"${"a".repeat(150_000)}"`, "a cell without end"],
  ])("is none: %#", (table) => {
    expect(readCsv(table, stageFinder(stages))).toBeUndefined();
  });
});

describe("what cannot be taken over is a finding", () => {
  it("names row, column and text", () => {
    const { findings, details } = imported(
      "Company,Role,Stage,Deadline,Applied on,Salary,Mood\n" +
        ",Engineer,,,,,\n" +
        `Acme,${"r".repeat(250)},Orbiting,1/2/2026,31.2.2026,a lot,good\n` +
        "Wix,Designer,,,,,better\n",
    );
    expect(details.map(({ company }) => company)).toEqual(["Acme", "Wix"]);
    expect(details[0]?.role).toBe("r".repeat(200));
    expect(findings.map(({ row, column, code }) => [row, column, code])).toEqual([
      [2, "Company", "no-company"],
      [3, "Stage", "unknown-stage"],
      [3, "Role", "shortened"],
      [3, "Salary", "not-a-salary"],
      [3, "Deadline", "not-a-date"],
      [3, "Applied on", "not-a-date"],
      [3, "Mood", "no-place"],
    ]);
  });

  it("reads a date with two meanings by what the others in its table show", () => {
    const dates = (...days: string[]) =>
      imported(`Company,Deadline\n${days.map((day) => `Acme,${day}\n`).join("")}`).details.map(
        ({ deadline }) => deadline,
      );
    expect(dates("1/2/2026", "13/2/2026")).toEqual(["2026-02-01", "2026-02-13"]);
    expect(dates("1/2/2026", "2/13/2026")).toEqual(["2026-01-02", "2026-02-13"]);
    expect(dates("1/2/2026", "2/13/2026", "13/2/2026")).toEqual([null, "2026-02-13", "2026-02-13"]);
    expect(dates("5/5/26", "46082", "Mar 1 2026", "1 במרץ 2026", "2026-03-01T09:00:00Z")).toEqual([
      "2026-05-05",
      ...Array<string>(4).fill("2026-03-01"),
    ]);
  });

  it("ends with the most that an account may hold", () => {
    const { applications, findings } = imported(
      `Company\n${"Acme\n".repeat(applicationLimits.applicationsMax + 50)}`,
    );
    expect(applications).toHaveLength(applicationLimits.applicationsMax);
    expect(findings).toEqual([
      { row: applicationLimits.applicationsMax + 2, column: "", code: "no-place", text: "Acme" },
    ]);
  });

  it("reports no more than a person reads, and never fails, whatever the file is", () => {
    const { findings } = imported(`Company,Deadline\n${"Acme,never\n".repeat(2000)}`);
    expect(findings).toHaveLength(500);
    for (const table of [
      ",".repeat(90_000),
      "\n".repeat(1_000_000),
      `Company\n${" ".repeat(90_000)}x`,
    ])
      expect(() => imported(table)).not.toThrow();
    const title = fc.constantFrom(
      "Company",
      "Deadline",
      "Salary",
      "Stage",
      "URL",
      "Contact",
      "שכר",
      "x",
    );
    const table = fc.tuple(
      fc.array(title),
      fc.array(fc.string({ unit: "binary" })),
      fc.constantFrom(",", ";", "\t"),
    );
    fc.assert(
      fc.property(table, ([titles, cells, sign]) => {
        imported(`Company${sign}${titles.join(sign)}\n${cells.join(sign)}`);
      }),
    );
  });
});

describe("stages", () => {
  it("are found by the names of the account first, then by what others call their kinds", () => {
    const own: Stage[] = [
      { stageId: uuid(1), kind: "applied", name: "Waiting" },
      { stageId: uuid(2), kind: "interviewing", name: "" },
      { stageId: uuid(3), kind: "interviewing", name: "Home assignment" },
      { stageId: uuid(4), kind: "rejected", name: "Applied" },
    ];
    const find = stageFinder(own);
    expect(find("waiting")).toBe(uuid(1));
    expect(find("INTERVIEWING")).toBe(uuid(2));
    expect(find("phone_screen")).toBe(uuid(2));
    expect(find("Home-Assignment")).toBe(uuid(3));
    expect(find("Applied")).toBe(uuid(4));
    expect(find("הוגשה")).toBe(uuid(1));
    expect(find("Offer")).toBeUndefined();
  });
});

const text = (max = 40) =>
  fc
    .oneof(
      fc.string({ unit: "grapheme", maxLength: max }),
      fc.constantFrom(
        "=1+1",
        "+972-50",
        "-",
        "@a",
        "'",
        "'=a",
        "''-",
        "a,b",
        'a"b',
        "a;b",
        "אקמי בע״מ",
        "N/A",
        "sep=;",
        " ",
      ),
    )
    .map((one) => ApplicationDetails.shape.role.parse(one));
const day = fc
  .date({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const salary = fc
  .record({
    from: fc.option(fc.nat(1_000_000_000)),
    to: fc.option(fc.nat(1_000_000_000)),
    currency: fc.constantFrom("ILS", "USD", "EUR", "XYZ"),
    per: fc.constantFrom("year", "month", "hour"),
  })
  .filter((one) => Salary.safeParse(one).success);
const details = fc
  .record({
    company: text().filter((one) => one !== ""),
    role: text(),
    place: text(),
    source: text(),
    jobUrl: text(100),
    salary: fc.option(salary),
    deadline: fc.option(day),
    appliedOn: fc.option(day),
    contacts: fc.array(
      fc.record({
        contactId: fc.uuid(),
        name: text().filter((one) => one !== ""),
        role: text(),
        email: text(),
        phone: text(),
        note: text(),
      }),
      { maxLength: 4 },
    ),
  })
  .map((one) => ApplicationDetails.parse(one));
const pipeline = fc
  .array(
    fc.tuple(
      fc.constantFrom(...stageKinds),
      fc.oneof(fc.constant(""), text(10), fc.constantFrom("Applied", "הוגשה", "Applied (2)")),
    ),
    { minLength: 2, maxLength: 8 },
  )
  .map((all) => all.map(([kind, name], index): Stage => ({ stageId: uuid(index), kind, name })));

const application = (one: ApplicationDetails, stageId: string): Application => ({
  applicationId: uuid(99),
  details: one,
  sent: { linkIds: [], cv: null },
  stageId,
  rank: "a",
  stageSince: instantFromMs(0),
  createdAt: instantFromMs(0),
  changedAt: instantFromMs(0),
  archivedAt: null,
  remindAt: null,
  notes: 0,
  files: 0,
});

describe("an exported table", () => {
  it("is read again as the same applications, in either language", () => {
    const all = fc.tuple(
      fc.array(fc.tuple(details, fc.nat(7))),
      pipeline,
      fc.constantFrom(...locales),
    );
    fc.assert(
      fc.property(all, ([held, own, language]) => {
        const stageIds = held.map(([, stage]) => uuid(stage % own.length));
        const applications = held.map(([one], index) => application(one, stageIds[index] ?? ""));
        const table = writeCsv(applications, own, language);
        const again = imported(table.slice(1), own);
        const withoutIds = (one: ApplicationDetails) => ({
          ...one,
          contacts: one.contacts.map((contact) => ({ ...contact, contactId: "" })),
        });
        expect(again.details.map(withoutIds)).toEqual(held.map(([one]) => withoutIds(one)));
        expect(again.applications.map(({ stageId }) => stageId)).toEqual(stageIds);
        expect(again.findings).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("is RFC 4180 with a mark, and has nothing that a spreadsheet computes", () => {
    const harmful = ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "＝1"];
    const table = writeCsv(
      harmful.map((company) =>
        application(ApplicationDetails.parse({ company, role: 'a "b", c' }), uuid(1)),
      ),
      stages,
      "en",
    );
    expect(table.startsWith("\uFEFFCompany,Role,Stage,")).toBe(true);
    const lines = table.split("\r\n");
    expect(lines).toHaveLength(harmful.length + 2);
    for (const [index, company] of harmful.entries())
      expect(lines[index + 1]).toContain(`'${company},"a ""b"", c",Applied`);
    expect(writeCsv([], stages, "he").slice(1)).toMatch(/^חברה,תפקיד,שלב,/u);
  });
});
