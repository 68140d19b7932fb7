import { expectedDate, launch } from "@pro-talent/schemas/site/launch";
import { useTranslation } from "react-i18next";

import { formatDate } from "../../i18n/format.ts";
import { useLanguage } from "../../i18n/use-language.ts";

/** When the page was loaded: rendering must not read the clock. */
const now = new Date();

/** What visitors read about the launch, and where its call to action and a lost subscriber go. */
export function useLaunch(): {
  open: boolean;
  sentence: string;
  join: { to: string; label: string };
  /** The page with the form that a mailed link came from. */
  subscribe: string;
} {
  const { t } = useTranslation("shell");
  const language = useLanguage();
  const open = launch.state === "open";
  const expected = expectedDate(launch, now);
  const sentence =
    expected === undefined
      ? t("launch.sentence")
      : t("launch.expected", { date: formatDate(language, expected) });
  const join = { to: open ? "/join" : "/signup", label: t("launch.join") };
  return { open, sentence, join, subscribe: open ? "/#newsletter-section-title" : "/signup" };
}
