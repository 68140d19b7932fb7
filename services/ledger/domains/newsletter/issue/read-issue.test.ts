import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { contentHashOf, issueText } from "./issue.ts";
import { joinIssue, readIssue } from "./read-issue.ts";

const english = `---
slug: first-look
topics: [updates, features]
subject: A first look
preheader: What is ready
---
Hello.
`;
const hebrew = english.replace("A first look", "מבט ראשון").replace("Hello.", "שלום.");
const join = (change: { en?: string; he?: string } = {}) =>
  joinIssue({ en: change.en ?? english, he: change.he ?? hebrew });
const both = (from: string, to: string) => ({
  en: english.replace(from, to),
  he: hebrew.replace(from, to),
});

describe("an issue", () => {
  it("is read from its two files", () => {
    expect(join()).toEqual({
      slug: "first-look",
      topics: ["features", "updates"],
      frequencies: ["weekly"],
      editions: {
        en: { subject: "A first look", preheader: "What is ready", markdown: "Hello." },
        he: { subject: "מבט ראשון", preheader: "What is ready", markdown: "שלום." },
      },
    });
  });

  it("is for monthly readers too when it names them", () => {
    const marked = both("subject:", "frequencies: [weekly, monthly]\nsubject:");
    expect(join(marked).frequencies).toEqual(["monthly", "weekly"]);
  });

  it("is the same with other line ends, a byte order mark, or topics in another order", () => {
    const hash = (change: { en?: string; he?: string }) => contentHashOf(issueText(join(change)));
    expect(hash({ en: `\uFEFF${english.replaceAll("\n", "\r\n")}` })).toBe(hash({}));
    expect(hash(both("[updates, features]", "[features, updates]"))).toBe(hash({}));
    expect(hash({ en: english.replace("Hello", "Hallo") })).not.toBe(hash({}));
  });

  it.each([
    ["no front matter", { he: "שלום" }, /^he\.md: .*---/],
    ["fields that are no YAML", { en: english.replace("slug:", "slug: [") }, /^en\.md: .*YAML/],
    ["no subject", { he: hebrew.replace(/subject.*\n/, "") }, /^he\.md: subject/],
    [
      "a subject of two lines",
      both("A first look", '"A\\r\\nBcc: x@y.example"'),
      /en\.md: subject/,
    ],
    ["a slug with spaces", both("first-look", "First look"), /^en\.md: slug/],
    ["an unknown topic", both("features", "gossip"), /^en\.md: topics\.1/],
    ["a topic twice", both("features", "updates"), /^en\.md: topics: each topic once/],
    ["an unknown field", both("subject:", "colour: red\nsubject:"), /^en\.md: colour/],
    ["no Markdown", { he: hebrew.replace("שלום.", " ") }, /^he\.md: markdown/],
    ["another slug in Hebrew", { he: hebrew.replace("first", "second") }, /^he\.md: slug/],
    ["other topics in Hebrew", { he: hebrew.replace(", features", "") }, /^he\.md: topics/],
    ["an image", both("שלום.", "![](https://x.example/a.png)"), /^he\.md: .*image/],
    ["a script link", both("Hello.", "[x](javascript:alert(1))"), /^en\.md: its link "javascript/],
  ])("with %s is refused, naming the file and the field", (_, change, message) => {
    expect(() => join(change)).toThrow(message);
  });

  it("is refused when a file is missing", async () => {
    await expect(readIssue("/nowhere")).rejects.toThrow(/en\.md cannot be read/);
  });
});

describe("the sample", () => {
  it("can be sent as it is", async () => {
    const folder = fileURLToPath(new URL("samples/welcome", import.meta.url));
    const { slug, editions } = await readIssue(folder);
    expect(slug).toBe("welcome");
    expect(editions.he.subject).toMatch(/\p{Script=Hebrew}/u);
  });
});
