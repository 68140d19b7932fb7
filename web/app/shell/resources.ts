import type { TFunction } from "i18next";

const paths: Record<string, string> = {
  whatIsAts: "/ats/what-is-ats",
  atsFriendlyResume: "/ats/ats-friendly-resume",
  proTalentMeaning: "/brand/pro-talent-meaning",
};

/** The resource pages, as listed in header and footer. */
export function resourcePages(t: TFunction<"shell">) {
  return Object.entries(t("resources", { returnObjects: true })).map(([id, { name, line }]) => ({
    to: paths[id] ?? "/",
    name,
    line,
  }));
}
