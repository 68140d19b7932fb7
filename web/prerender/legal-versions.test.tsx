import { readFile } from "node:fs/promises";

import {
  type LegalDocumentName,
  legalDocumentNames,
} from "@pro-talent/schemas/site/legal-documents";
import { allVersions, versionsOf } from "@pro-talent/schemas/site/legal-history";
import { afterAll, expect, it, vi } from "vitest";

import { renderPage } from "../app/entry-server.tsx";
import { languages } from "../i18n/languages.ts";
import { elementsOfClass, textOf } from "./html-elements.ts";
import {
  frozenFile,
  frozenOf,
  versionDocument,
  versionsDocument,
  wordsOf,
} from "./legal-versions.ts";

const each = legalDocumentNames.flatMap((name) =>
  languages.map((language) => ({ name, language })),
);
type Version = { readonly name: LegalDocumentName; readonly version: string };
const keptOf = (version: Version, language: "en" | "he") =>
  readFile(frozenFile(version, language), "utf8");
const terms = { name: "terms", version: "2026-11-22", status: "in-force" } as const;
const parts = { headScript: "theme()", styles: ["/assets/legal.css"], fonts: [] };

// Other files of the worker share its modules.
afterAll(() => {
  vi.doUnmock("@pro-talent/schemas/site/legal-history");
  vi.resetModules();
});

it.each(each)(
  "the words of $name in $language are those of the version that is kept",
  async ({ name, language }) => {
    // When this fails, a text or a figure in it has changed: give it a new version in legal-documents.ts, move
    // the former one to legal-history.ts, and keep the text with `npm run legal:freeze`.
    const { html } = await renderPage(`/${name}`, language, 2026);
    const inForce = versionsOf(name).find(({ status }) => status === "in-force");
    const kept = await keptOf(inForce ?? terms, language);
    expect(wordsOf(frozenOf(html))).toBe(wordsOf(kept));
    expect(wordsOf(kept).length).toBeGreaterThan(5000);
  },
);

it("every version has a day of its own and its text in both languages, the newest first", async () => {
  for (const name of legalDocumentNames) {
    const versions = versionsOf(name).map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].toSorted().toReversed());
  }
  for (const version of allVersions())
    for (const language of languages)
      expect((await keptOf(version, language)).startsWith("<h1>")).toBe(true);
});

it("a coming and a former version are listed beside the one in force", () => {
  const coming = { terms: "2027-02-01", privacy: null };
  const textHash = { en: "a", he: "b" };
  const former = { terms: [{ version: "2025-10-17", textHash }], privacy: [] };
  expect(versionsOf("terms", coming, former)).toEqual([
    { name: "terms", version: "2027-02-01", status: "coming" },
    terms,
    { name: "terms", version: "2025-10-17", status: "former" },
  ]);
});

it.each(languages)("a version in %s is a document without the application", async (language) => {
  const html = versionDocument(await keptOf(terms, language), terms, language, parts);
  expect(html).not.toContain('name="modules"');
  expect(html).not.toContain('type="module"');
  expect(html).toContain('content="noindex"');
  expect(html).toContain(`<html lang="${language}" dir="${language === "he" ? "rtl" : "ltr"}">`);
  expect(html).toContain('href="/terms"');
  const [date] = elementsOfClass(html, "legal__date");
  expect(textOf(date?.inner ?? "")).toBe(
    language === "en"
      ? "Version of November 22, 2026 · In force"
      : "גרסה מיום 22 בנובמבר 2026 · בתוקף",
  );
});

it.each(languages)("the list in %s leads to every version", async (language) => {
  const html = versionsDocument(await keptOf(terms, language), "terms", language, parts);
  for (const { version } of versionsOf("terms"))
    expect(html).toContain(`href="/terms/versions/${version}"`);
});

it.each(languages)(
  "from its release on a page in %s says when its coming version takes effect, and leads to it",
  async (language) => {
    vi.resetModules();
    vi.doMock("@pro-talent/schemas/site/legal-history", async (original) => ({
      ...(await original<object>()),
      comingVersions: { terms: "2027-02-01", privacy: null },
    }));
    const { renderPage: render } = await import("../app/entry-server.tsx");
    const dateOf = async (path: string) => {
      const { html } = await render(path, language, 2026);
      return elementsOfClass(html, "legal__date")[0]?.inner ?? "";
    };
    const date = await dateOf("/terms");
    expect(textOf(date)).toContain(
      language === "en"
        ? "A new version takes effect on February 1, 2027"
        : "גרסה חדשה תיכנס לתוקף ב־1 בפברואר 2027",
    );
    expect(date).toContain('href="/terms/versions/2027-02-01"');
    expect(date).toContain('href="/terms/versions"');
    expect(await dateOf("/privacy")).not.toContain("legal__coming");
    expect(await dateOf("/accessibility")).not.toContain("href");
  },
);
