import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";

/** A period in words of the page: `Mar 2019 – present`. */
export function useMonthWords() {
  const { t } = useTranslation("cv");
  const language = useLanguage();
  const format = new Intl.DateTimeFormat(language, {
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
  const words = (month: string): string => {
    if (month === "present") return t("fields.now");
    return month.length > 4 ? format.format(Date.parse(`${month}-01T00:00:00Z`)) : month;
  };
  return (start: string, end: string): string =>
    [start, end]
      .filter((month) => month !== "")
      .map(words)
      .join(" – ");
}
