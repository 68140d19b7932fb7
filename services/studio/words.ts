import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { Section } from "@pro-talent/schemas/studio/document";

export type Words = {
  readonly titles: Readonly<Record<Exclude<Section["kind"], "custom">, string>>;
  readonly present: string;
  readonly grade: string;
  readonly months: readonly string[];
};

/** What a CV says that its author did not write; part of the files, not of the interface. */
export const wordsOf: Readonly<Record<Locale, Words>> = {
  en: {
    titles: {
      summary: "Summary",
      experience: "Experience",
      education: "Education",
      projects: "Projects",
      skills: "Skills",
      languages: "Languages",
      certificates: "Certificates",
      volunteering: "Volunteering",
      publications: "Publications",
    },
    present: "Present",
    grade: "Grade",
    months: "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" "),
  },
  he: {
    titles: {
      summary: "תמצית",
      experience: "ניסיון תעסוקתי",
      education: "השכלה",
      projects: "פרויקטים",
      skills: "מיומנויות",
      languages: "שפות",
      certificates: "תעודות והסמכות",
      volunteering: "התנדבות",
      publications: "פרסומים",
    },
    present: "היום",
    grade: "ציון",
    months: "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר".split(" "),
  },
};
