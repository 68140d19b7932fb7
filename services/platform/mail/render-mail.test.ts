import fc from "fast-check";
import { expect, test } from "vitest";

import { light } from "./blocks.ts";
import { dark, type MailContent, renderMail } from "./render-mail.ts";

type Words = Readonly<Record<"title" | "line" | "many" | "url", string>>;
const plain: Words = { title: "x", line: "x", many: "x", url: "https://example.com/x" };

function mailWith({ title, line, many, url }: Words): MailContent {
  return {
    language: "en",
    title,
    preheader: line,
    blocks: [
      { kind: "paragraph", text: many },
      { kind: "action", label: line, url },
      { kind: "facts", facts: [{ term: line, value: many }] },
      { kind: "quote", text: many },
      { kind: "list", items: [line, many] },
    ],
    footer: [{ kind: "small", text: many, link: { label: line, url } }],
  };
}

/** Tags with the names of their attributes; how many lines a text has may differ. */
function skeleton(html: string): string[] {
  const tags = html.match(/<[^>]*>/g) ?? [];
  return tags
    .filter((tag) => !/^<(?:br|\/?bdi)>$/.test(tag))
    .map((tag) => tag.replaceAll(/="[^"]*"/g, "="));
}

test("no text from outside adds a tag or ends an attribute", () => {
  const nasty = fc.constantFrom('"><script>', "</title>", "' onload='", "<!--", "&lt;", "\u202E");
  const text = fc
    .array(fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), nasty), { maxLength: 6 })
    .map((parts) => parts.join(""));
  const url = fc.tuple(fc.webUrl(), text).map(([base, more]) => `${base}/?q=${more}#${more}`);
  fc.assert(
    fc.property(fc.record({ title: text, line: text, many: text, url }), (words) => {
      const { html, text: asText } = renderMail(mailWith(words));
      expect(skeleton(html)).toEqual(skeleton(renderMail(mailWith(plain)).html));
      expect(`${html}${asText}`).not.toMatch(/\r|(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u);
    }),
  );
});

test.each(["javascript:alert(1)", "data:text/html,x", "//example.com", "not a link"])(
  "a mail does not lead to %s",
  (url) => expect(() => renderMail(mailWith({ ...plain, url }))).toThrow("web or mail address"),
);

test.each([
  ["en", "ltr", "left"],
  ["he", "rtl", "right"],
] as const)("a mail in %s has the direction %s", (language, dir, side) => {
  const { html } = renderMail({ ...mailWith(plain), language });
  expect(html).toContain(`<html lang="${language}" dir="${dir}">`);
  expect(html.match(new RegExp(`<table[^>]*dir="${dir}"`, "g"))).toHaveLength(2);
  expect(html).toContain(`border-${side}:3px`);
  expect(html).not.toContain(dir === "rtl" ? 'align="left"' : 'align="right"');
});

test("each line that a person wrote has its own direction", () => {
  const { html } = renderMail(mailWith({ ...plain, many: "one\nשתיים" }));
  expect(html).toContain("<bdi>one</bdi><br><bdi>שתיים</bdi>");
});

test("nothing in a mail is loaded from anywhere, and nothing runs", () => {
  const { html } = renderMail(mailWith(plain));
  expect(html).not.toMatch(/<(?:img|script|link|iframe|object)|\ssrc=|url\(|@import|\son\w+=/i);
});

test("our own Markdown keeps its tags and receives the styles of the mail", () => {
  const { html } = renderMail({
    ...mailWith(plain),
    blocks: [
      { kind: "html", html: '<h2>A</h2><pre>b</pre><a href="https://e.org">c</a>', text: "A" },
    ],
  });
  expect(html).toMatch(/<h2 class="ink" style="[^"]+">A<\/h2><pre>b<\/pre>/);
  expect(html).toMatch(/<a class="ink" style="[^"]+" href="https:\/\/e\.org">c<\/a>/);
});

test("the plain text has the same content", () => {
  const { text } = renderMail({
    language: "en",
    title: "Confirm\nyour address",
    preheader: "unseen",
    blocks: [
      { kind: "paragraph", text: "One.\nTwo." },
      { kind: "action", label: "Confirm", url: "https://example.com/c#t" },
      {
        kind: "facts",
        facts: [
          { term: "From", value: "Noa" },
          { term: "Subject", value: "a\nb" },
        ],
      },
      { kind: "quote", text: "Hello\n\nNoa" },
      { kind: "list", items: ["a", "b"] },
    ],
    footer: [
      { kind: "small", text: "Why you get this." },
      {
        kind: "small",
        text: "Enough?",
        link: { label: "Unsubscribe", url: "https://example.com/u" },
      },
    ],
  });
  expect(text).toBe(
    [
      "Confirm your address",
      "One.\nTwo.",
      "Confirm: https://example.com/c#t",
      "From: Noa\nSubject: a b",
      "> Hello\n> \n> Noa",
      "- a\n- b",
      "-- \nWhy you get this.\nEnough?\nUnsubscribe: https://example.com/u\n",
    ].join("\n\n"),
  );
});

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

test.each([
  ["light", light],
  ["dark", dark],
] as const)("every text of a mail is readable in the %s theme", (_name, theme) => {
  for (const text of [theme.ink, theme.muted]) {
    for (const background of [theme.canvas, theme.sunk]) {
      expect(contrast(text, background)).toBeGreaterThan(7);
    }
  }
});
