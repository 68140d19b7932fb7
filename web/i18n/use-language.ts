import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { useTranslation } from "react-i18next";

import { fallbackLanguage, isLanguage } from "./languages.ts";

export function useLanguage(): Locale {
  const { language } = useTranslation().i18n;
  return isLanguage(language) ? language : fallbackLanguage;
}
