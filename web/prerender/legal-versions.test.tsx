import { readFile } from "node:fs/promises";

import {
  earlierVersions,
  hasEarlierVersions,
  type LegalDocumentName,
  legalDocumentNames,
  legalVersions,
} from "@pro-talent/schemas/site/legal-documents";
import { documentsInForce, formerDocuments } from "@pro-talent/schemas/site/legal-history";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { expect, it } from "vitest";

import { renderPage } from "../app/entry-server.tsx";
import { StaticRouter } from "../app/routing.ts";
import { languages } from "../i18n/languages.ts";
import { createTranslator, loadTranslations } from "../i18n/translations.ts";
import { EarlierVersions } from "../pages/legal/earlier-versions.tsx";
import { elementsOfClass } from "./html-elements.ts";
import { frozenFile, frozenOf, versionDocument, wordsOf } from "./legal-versions.ts";

const each = (languagesOf: readonly LegalDocumentName[]) =>
  languagesOf.flatMap((name) => languages.map((language) => ({ name, language })));
const keptOf = (name: LegalDocumentName, version: string, language: "en" | "he") =>
  readFile(frozenFile({ name, version }, language), "utf8");

it.each(each(legalDocumentNames))(
  "the words of $name in $language are those of the version that is kept",
  async ({ name, language }) => {
    // When this fails, a text or a figure in it has changed: give it a new version in legal-documents.ts, move
    // the former one to legal-history.ts, and keep the text with `npm run legal:freeze`.
    const { html } = await renderPage(`/${name}`, language, 2026);
    const kept = await keptOf(name, legalVersions[name], language);
    expect(wordsOf(frozenOf(html))).toBe(wordsOf(kept));
    expect(wordsOf(kept).length).toBeGreaterThan(5000);
  },
);

it("every version that was in force has its document, its hashes and its link", async () => {
  expect(hasEarlierVersions).toBe(Object.values(earlierVersions).some(({ length }) => length > 0));
  for (const name of legalDocumentNames) {
    const former = formerDocuments[name].map(({ version }) => version);
    expect(former).toEqual(earlierVersions[name]);
    const versions = [legalVersions[name], ...former];
    expect(versions).toEqual([...new Set(versions)].toSorted().toReversed());
  }
  for (const { name, version } of documentsInForce)
    for (const language of languages)
      expect((await keptOf(name, version, language)).startsWith("<h1>")).toBe(true);
});

it.each(languages)("a version in %s is a document without the application", async (language) => {
  const version = { name: "terms", version: "2026-11-22" } as const;
  const kept = await keptOf("terms", version.version, language);
  const parts = { headScript: "theme()", styles: ["/assets/legal.css"], fonts: [] };
  const html = versionDocument(kept, version, language, parts);
  expect(html).not.toContain('name="modules"');
  expect(html).not.toContain('type="module"');
  expect(html).toContain('content="noindex"');
  expect(html).toContain(`<html lang="${language}" dir="${language === "he" ? "rtl" : "ltr"}">`);
  expect(html).toContain('href="/terms"');
  const [date] = elementsOfClass(html, "legal__date");
  expect(date?.inner).toContain(
    language === "en" ? "Version of November 22, 2026" : "גרסה מיום 22 בנובמבר 2026",
  );
});

it("a legal page links its earlier versions once there are some", async () => {
  const translator = createTranslator("en");
  await loadTranslations(translator, "en", ["legal"]);
  const shown = (path: string, privacy: readonly string[]) =>
    renderToStaticMarkup(
      <I18nextProvider i18n={translator}>
        <StaticRouter location={path}>
          <EarlierVersions of={{ terms: [], privacy }} />
        </StaticRouter>
      </I18nextProvider>,
    );
  expect(shown("/privacy", [])).toBe("");
  expect(shown("/cookie-policy", ["2026-11-23"])).toBe("");
  expect(shown("/privacy", ["2026-11-23"])).toMatch(
    /Earlier versions.*href="\/privacy\/versions\/2026-11-23">November 23, 2026/su,
  );
});
