import type { TFunction } from "i18next";

type Resource = { to: string; name: string; line: string };

/** The resource pages, as listed in header and footer. */
export function resourcePages(t: TFunction<"shell">): Resource[] {
  return [
    {
      to: "/ats/what-is-ats",
      name: t("resources.whatIsAts.name"),
      line: t("resources.whatIsAts.line"),
    },
    {
      to: "/ats/ats-friendly-resume",
      name: t("resources.atsFriendlyResume.name"),
      line: t("resources.atsFriendlyResume.line"),
    },
    {
      to: "/brand/pro-talent-meaning",
      name: t("resources.proTalentMeaning.name"),
      line: t("resources.proTalentMeaning.line"),
    },
  ];
}
