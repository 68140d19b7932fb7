import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { loadTranslations, type Translations } from "../i18n/translations.ts";
import { useLanguage } from "../i18n/use-language.ts";

/**
 * Loads the texts of a part that few pages show, when it is about to be shown.
 * @returns whether they are there, in the language of the page
 */
export function useLateTexts(namespace: keyof Translations, enabled = true): boolean {
  const { i18n: translator } = useTranslation();
  const language = useLanguage();
  const texts = useQuery({
    queryKey: ["texts", namespace, language],
    queryFn: async () => {
      await loadTranslations(translator, language, [namespace]);
      return true;
    },
    enabled,
  });
  return texts.data === true;
}
