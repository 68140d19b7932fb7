import { expect, it } from "vitest";

import { cleanLine } from "./clean-text.ts";
import { linkTarget } from "./link.ts";
import { migrated, readCvDocument, type Step } from "./migrate.ts";
import { RichText } from "./rich-text.ts";

const named = (profile: object) => ({
  version: 1,
  language: "he",
  page: {},
  profile: { fullName: "  דנה \n לוי ", ...profile },
});

it("a document of an earlier version passes every step to the newest, one of a later version is refused", () => {
  const steps: Step[] = [
    (document) => ({ ...document, version: 2, title: "two" }),
    (document) => ({ ...document, version: 3, title: `${String(document["title"])}, three` }),
  ];
  expect(migrated({ version: 1 }, steps)).toEqual({ version: 3, title: "two, three" });
  expect(migrated({ version: 3, title: "as it was" }, steps)["title"]).toBe("as it was");
  expect(() => migrated({ version: 4 }, steps)).toThrow("later version");
  expect(() => readCvDocument({ ...named({}), version: 2 })).toThrow("later version");
});

it("what is missing is empty, so that a document can be begun with a name", () => {
  const { sections, profile, page } = readCvDocument(named({}));
  expect([sections, profile.fullName, profile.email, page.template]).toEqual([
    [],
    "דנה לוי",
    "",
    "classic",
  ]);
});

it("an id that is used twice is refused, as edits are merged by it", () => {
  const links = ["one", "one"].map((id) => ({ id, label: "", url: "" }));
  expect(() => readCvDocument(named({ links }))).toThrow("an id twice");
});

it("characters that change the order of others, or that no reader sees, are left out", () => {
  const overridden = "Dana\u202E iveL\u2069\u200B \u0000\uD800x\u200F";
  expect(cleanLine(overridden)).toBe("Dana iveL x");
  expect(cleanLine("a\r\nb\u2028c\td")).toBe("a b c d");
  expect(cleanLine("Cafe\u0301 \u{1F469}\u200D\u{1F4BB}")).toBe(
    "Caf\u00E9 \u{1F469}\u200D\u{1F4BB}",
  );
});

it("rich text keeps bold, italic and allowed links in the fewest runs", () => {
  const read = RichText.parse([
    { text: " Led ", html: "<b>" },
    { text: "four ", bold: true },
    { text: " people", bold: true },
    { text: "" },
    { text: " <script> ", link: "javascript:alert(1)" },
  ]);
  expect(read).toEqual([
    { text: "Led ", bold: false, italic: false, link: null },
    { text: "four people", bold: true, italic: false, link: null },
    { text: " <script>", bold: false, italic: false, link: null },
  ]);
});

it("a link leads to https, a mailbox or a telephone number, and nowhere else", () => {
  expect(linkTarget("example.com/cv?x=1")).toBe("https://example.com/cv?x=1");
  expect(linkTarget("dana@example.com")).toBe("mailto:dana@example.com");
  expect(linkTarget("tel:+972-54-123-4567")).toBe("tel:+972541234567");
  for (const refused of [
    "javascript:alert(1)",
    "http://example.com",
    "data:,x",
    "file:///etc",
    "",
    "notes",
    "https://me@example.com/",
  ])
    expect([refused, linkTarget(refused)]).toEqual([refused, null]);
});
