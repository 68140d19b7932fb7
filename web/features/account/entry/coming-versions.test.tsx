import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { expect, it, vi } from "vitest";

import { createTranslator, loadTranslations } from "../../../i18n/translations.ts";

async function shown(language: "en" | "he", terms: string | null): Promise<string> {
  vi.resetModules();
  vi.doMock("@pro-talent/schemas/site/legal-history", async (original) => ({
    ...(await original<object>()),
    comingVersions: { terms, privacy: null },
  }));
  const { ComingVersions } = await import("./coming-versions.tsx");
  await import("../../../i18n/signed-in-texts.ts");
  const translator = createTranslator(language);
  await loadTranslations(translator, language, ["account-entry"]);
  return renderToStaticMarkup(
    <I18nextProvider i18n={translator}>
      <ComingVersions />
    </I18nextProvider>,
  );
}

it.each([
  ["en", "takes effect on February 1, 2027. You accept the one in force today"],
  ["he", "תיכנס לתוקף ב־1 בפברואר 2027. האישור כאן הוא לגרסה שבתוקף היום"],
] as const)("who opens an account in %s learns of the coming version", async (language, text) => {
  const html = await shown(language, "2027-02-01");
  expect(html).toContain(text);
  expect(html).toContain('href="/terms/versions/2027-02-01"');
});

it("says nothing while no version is coming", async () => {
  expect(await shown("en", null)).toBe("");
});
