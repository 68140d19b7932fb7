import { PortfolioDocument } from "@pro-talent/schemas/studio/portfolio";
import { plainRuns } from "@pro-talent/schemas/studio/rich-text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { renderPage } from "./render-page.ts";
import { addressLink, publicAddress, richHtml, scriptJson } from "./safe-html.ts";

const none = { sizes: new Map(), contactForm: true, hasCv: true, hasOther: true };
const tags = (html: string): string[] => html.match(/<[^>]*>?/gu) ?? [];

/** The same text in every field that an owner writes. */
const written = (text: string): PortfolioDocument =>
  PortfolioDocument.parse({
    version: 1,
    language: "en",
    look: {},
    profile: {
      fullName: text,
      headline: text,
      place: text,
      links: [{ id: "l", label: text, url: "https://example.com/" }],
    },
    sections: [
      { id: "a", kind: "summary", title: text, entries: [{ id: "a1", text: plainRuns(text) }] },
      { id: "b", kind: "skills", entries: [{ id: "b1", name: text, items: [text] }] },
      {
        id: "c",
        kind: "experience",
        entries: [
          {
            id: "c1",
            role: text,
            organisation: text,
            place: text,
            url: "example.com/x",
            bullets: [{ id: "c2", text: plainRuns(text) }],
          },
        ],
      },
    ],
  });

describe("the page of a portfolio", () => {
  it("has the same elements and attributes, whatever its owner wrote", () => {
    const signs = ["<", ">", '"', "'", "&", "</script>", "<!--", "-->", "<base>", "$&", "\u2028"];
    const typed = fc.array(fc.oneof(fc.constantFrom(...signs), fc.string()), { maxLength: 8 });
    // A name that has no spaces to lose, so that no field is empty.
    const shape = (html: string) => tags(html).map((tag) => tag.replaceAll(/"[^"]*"/gu, '""'));
    const plain = shape(renderPage(written("x plain y"), none).html);
    fc.assert(
      fc.property(typed, (parts) => {
        const text = `x${parts.join("").slice(0, 90)}y`;
        expect(shape(renderPage(written(text), none).html)).toEqual(plain);
      }),
      { numRuns: 300 },
    );
  });

  it("leads readers to public https addresses alone, and shows the one that it leads to", () => {
    expect(publicAddress("example.com/me")).toBe("https://example.com/me");
    for (const url of ["http://example.com", "mailto:a@example.com", "tel:+97250123456"])
      expect(publicAddress(url)).toBeNull();
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (typed) => {
        const link = addressLink(publicAddress(typed) ?? "https://example.com/");
        expect(link).toMatch(/^<a href="https:\/\/[^"<>]+" rel="/u);
      }),
    );
    const run = {
      text: "www.paypal.com",
      bold: false,
      italic: false,
      link: "https://example.com/",
    };
    expect(richHtml([run])).toContain('<bdi class="host" dir="ltr">example.com</bdi>');
    expect(richHtml([{ ...run, text: "example.com" }])).not.toContain("<bdi");
  });

  it("states who it is about as JSON that no text ends", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const json = scriptJson({ name: `</script>${text}` });
        expect(json).not.toMatch(/[<>&\u2028\u2029]/u);
        expect(JSON.parse(json)).toEqual({ name: `</script>${text}` });
      }),
    );
  });

  it("keeps marks that a script needs, and not those that grow over other lines", () => {
    const { html } = renderPage(written(`שָׁלוֹם a${"\u0301".repeat(40)}`), none);
    expect(html).toContain("שָׁלוֹם".normalize("NFC"));
    expect(html.replace(/<script.*<\/script>/u, "")).not.toMatch(/\p{M}{5}/u);
  });
});
