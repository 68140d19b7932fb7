import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { useTranslation } from "react-i18next";

import { fallbackLanguage, isLanguage } from "./languages.ts";

/** The language that is being shown. */
export function useLanguage(): Locale {
  const { language } = useTranslation().i18n;
  return isLanguage(language) ? language : fallbackLanguage;
}
