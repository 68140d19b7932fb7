import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readContent } from "./issue-content.ts";
import { IssueRefused } from "./issue.ts";
import { contentHtml, contentText } from "./render-content.ts";

const origin = "https://site.example";
const html = (source: string): string => contentHtml(readContent(source, origin));
const text = (source: string): string => contentText(readContent(source, origin));

describe("an issue as HTML", () => {
  it("has paragraphs, headings, lists, links and emphasis", () => {
    expect(html("# One\n\nA *b* **c** [d](https://e.example/?a=1&b=2)\n\n- x\n- y")).toBe(
      '<h2>One</h2>\n<p>A <em>b</em> <strong>c</strong> <a href="https://e.example/?a=1&amp;b=2">d</a></p>\n<ul><li>x</li>\n<li>y</li>\n</ul>\n',
    );
    expect(html("3. x\n4. y")).toBe('<ol start="3"><li>x</li>\n<li>y</li>\n</ol>\n');
  });

  it("shows code as it was written", () => {
    expect(html("    a <b>\n")).toMatch(
      /^<p><code style="[^"]*pre-wrap">a &lt;b&gt;\n<\/code><\/p>\n$/,
    );
  });

  it("resolves links that begin with a slash on our own site", () => {
    expect(html("[a](/about)")).toContain('href="https://site.example/about"');
  });

  it("shows HTML as the text that it is", () => {
    expect(html("a <b onclick=x>c</b>\n\n<script>d</script>")).toBe(
      "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n<p>&lt;script&gt;d&lt;/script&gt;</p>\n",
    );
  });

  it.each([
    "![a](https://x.example/p.png)",
    "[a](javascript:alert(1))",
    "[a](data:text/html,x)",
    "[a](//x.example)",
    "[a](page)",
    "[a](https://user:pass@x.example)",
    "<ftp://x.example>",
  ])("is refused with %s", (source) => {
    expect(() => readContent(source, origin)).toThrow(IssueRefused);
  });
});

describe("an issue as plain text", () => {
  it("has a blank line between blocks, and addresses after links", () => {
    expect(
      text("# One\n\nA *b*\n[c](https://d.example/) <https://e.example/>\n\n> f\n> g\n\n---"),
    ).toBe("One\n\nA b\nc (https://d.example/) https://e.example/\n\n> f\n> g\n\n* * *");
  });

  it("has lists with their marks, also nested ones", () => {
    expect(text("1. a\n2. b\n   - c\n   - d\n\nwrite to [us](mailto:a@b.example)")).toBe(
      "1. a\n2. b\n   - c\n   - d\n\nwrite to us (a@b.example)",
    );
    expect(text("- a\n\n  b\n\n- c\n\n      d\n")).toBe("- a\n  b\n- c\n  d");
  });
});

/** Pieces of Markdown and HTML that could do harm where they meet. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "<script>",
        "<img src=x onerror=y>",
        "</p>",
        '"',
        "'",
        "](",
        "[a](javascript:x)",
        '[a]( https://x.example "t" onmouseover=)',
        '<https://x.example/" onclick="y>',
        "![a](b)",
        "`",
        "```html\n",
        "\n\n",
        "\n> ",
        "\n1. ",
        "&#60;b&#62;",
        "&quot;",
        "[r]: vbscript:x\n",
        "[r]",
        "\\<",
        "<!--",
        "<a href=data:x>",
        "\u202E",
      ),
      fc.string({ unit: "grapheme" }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));

const element =
  /^(?:<\/?(?:p|h2|h3|ul|ol|li|blockquote|strong|em)>|<ol start="\d+">|<code style="font-family:monospace;font-size:14px(?:;white-space:pre-wrap)?">|<\/code>|<hr>|<br>|<a href="(?:https?:\/\/|mailto:)[^"<>]*">|<\/a>)$/;

/** A refused source gives no HTML; any other failure fails the test. */
function htmlOrNothing(source: string): string {
  try {
    return html(source);
  } catch (error) {
    if (error instanceof IssueRefused) return "";
    throw error;
  }
}

describe("hostile Markdown", () => {
  it("is refused, or gives no tag, attribute or scheme that issues do not have", () => {
    fc.assert(
      fc.property(hostile, (source) => {
        const made = htmlOrNothing(source);
        for (const [tag] of made.matchAll(/<[^>]*>?/g)) expect(tag).toMatch(element);
        expect(made.replaceAll(/<[^>]*>/g, "")).not.toMatch(/[<>]/);
      }),
      { numRuns: 2000 },
    );
  });
});
