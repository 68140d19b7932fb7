import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { createInstance, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";

import type about from "./en/about.json";
import type consent from "./en/consent.json";
import type cookiePolicy from "./en/cookie-policy.json";
import type home from "./en/home.json";
import type linkRecord from "./en/link-record.json";
import type notFound from "./en/not-found.json";
import type privacy from "./en/privacy.json";
import type shell from "./en/shell.json";

/** One namespace is one file per language; English is the form the Hebrew file must have. */
export type Words = {
  about: typeof about;
  consent: typeof consent;
  "cookie-policy": typeof cookiePolicy;
  home: typeof home;
  "link-record": typeof linkRecord;
  "not-found": typeof notFound;
  privacy: typeof privacy;
  shell: typeof shell;
};
export type Namespace = keyof Words;

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "shell";
    resources: Words;
  }
}

const files = import.meta.glob<Record<string, unknown>>("./{en,he}/*.json", { import: "default" });

/** A translator that holds no words yet; `addWords` brings them, one language at a time. */
export function createTranslator(language: Locale): i18n {
  const translator = createInstance();
  translator.use(initReactI18next);
  void translator.init({
    lng: language,
    fallbackLng: false,
    supportedLngs: ["en", "he"],
    ns: [],
    defaultNS: "shell",
    resources: {},
    initAsync: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false, bindI18nStore: "" },
  });
  return translator;
}

/**
 * Loads the words of `namespaces` in one language, unless they are there already.
 * @throws when a file cannot be fetched
 */
export async function addWords(
  translator: i18n,
  language: Locale,
  namespaces: readonly Namespace[],
): Promise<void> {
  const missing = namespaces.filter((name) => !translator.hasResourceBundle(language, name));
  await Promise.all(
    missing.map(async (name) => {
      const load = files[`./${language}/${name}.json`];
      if (load === undefined) throw new Error(`no words: ${language}/${name}`);
      translator.addResourceBundle(language, name, await load(), false, false);
    }),
  );
}
