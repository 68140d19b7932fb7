import { expectedDate, launch, type Launch } from "@pro-talent/schemas/site/launch";
import { createContext, use } from "react";
import { useTranslation } from "react-i18next";

import { formatDate } from "../../i18n/format.ts";
import { useLanguage } from "../../i18n/use-language.ts";

/** When the page was loaded: rendering must not read the clock. */
const now = new Date();

/** The launch that pages describe; replaced only by tests. */
export const LaunchContext = createContext<Launch>(launch);

/** What visitors read about the launch, and where its call to action leads. */
export function useLaunch(): {
  open: boolean;
  sentence: string;
  join: { to: string; label: string };
} {
  const { t } = useTranslation("shell");
  const language = useLanguage();
  const current = use(LaunchContext);
  if (current.state === "open") {
    const join = { to: "/join", label: t("launch.createAccount") };
    return { open: true, sentence: t("launch.open"), join };
  }
  const expected = expectedDate(current, now);
  const sentence =
    expected === undefined
      ? t("launch.waitlist")
      : t("launch.expected", { date: formatDate(language, expected) });
  return { open: false, sentence, join: { to: "/signup", label: t("launch.joinWaitlist") } };
}
