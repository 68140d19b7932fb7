import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { PortfolioDocument } from "@pro-talent/schemas/studio/portfolio";
import { plainRuns } from "@pro-talent/schemas/studio/rich-text";

import { documentOf, noaInEnglish, noaInHebrew } from "../demo-cvs.ts";
import type { demoPictures } from "./demo-pictures.ts";

type PictureName = keyof typeof demoPictures;
type Shown = readonly [name: PictureName, alt: string, caption: string];
type Made = {
  readonly name: string;
  readonly role: string;
  readonly start: string;
  readonly end: string;
  readonly bullets: readonly string[];
  readonly pictures: readonly Shown[];
};
type Words = {
  readonly summary: string;
  readonly projects: readonly Made[];
  readonly links: readonly { readonly label: string; readonly url: string }[];
};

/** What Noa Levi, who is invented, shows of her work. */
const words: Readonly<Record<Locale, Words>> = {
  en: {
    summary:
      "I design tools that nurses open at three in the morning and still understand. I was a ward nurse for four years; it shows in everything I draw.",
    projects: [
      {
        name: "One sheet for two shifts",
        role: "Lead designer, Carmel Health Systems",
        start: "2021",
        end: "2023",
        bullets: [
          "The night writes on the left, the morning reads on the right: nothing is copied any more.",
          "A handover takes 19 minutes instead of 31, measured in 14 wards over half a year.",
        ],
        pictures: [
          [
            "handover",
            "A tablet in two halves: the notes of the night, and the list of the morning with four of five lines ticked off",
            "Dark for the night, light for the morning. The colour of the page says whose turn it is.",
          ],
          [
            "ward",
            "The plan of a ward with twelve beds, each in a colour",
            "The plan of the ward came from a drawing on a napkin in the nurses’ kitchen.",
          ],
          ["parts", "Dialogs, buttons and colours in two directions of writing", ""],
        ],
      },
      {
        name: "The chart that asks in the order of the round",
        role: "Product designer, Northwind Clinics",
        start: "2018",
        end: "2020",
        bullets: ["Replaced paper in nine clinics. Wrong entries fell by 38 per cent."],
        pictures: [
          [
            "chart",
            "A medication chart: eight rows, seven hours, and a line where now is",
            "The line is now. What is left of it is done, or it is late.",
          ],
        ],
      },
    ],
    links: [
      { label: "Talks", url: "https://example.com/noa-levi/talks" },
      { label: "Sketchbook", url: "https://example.org/noa" },
    ],
  },
  he: {
    summary:
      "אני מעצבת כלים שאחיות פותחות בשלוש לפנות בוקר ועדיין מבינות. ארבע שנים הייתי אחות במחלקה, ורואים את זה בכל מה שאני משרטטת.",
    projects: [
      {
        name: "דף אחד לשתי משמרות",
        role: "מעצבת מוצר ראשית, כרמל מערכות בריאות",
        start: "2021",
        end: "2023",
        bullets: [
          "הלילה כותב מצד אחד, הבוקר קורא מהצד השני: שום דבר לא מועתק יותר.",
          "העברת משמרת נמשכת 19 דקות במקום 31, במדידה של חצי שנה ב־14 מחלקות.",
        ],
        pictures: [
          [
            "handover",
            "לוח מגע בשני חצאים: הרשימות של הלילה, ורשימת הבוקר שבה סומנו ארבע שורות מתוך חמש",
            "כהה ללילה, בהיר לבוקר. צבע הדף אומר של מי התור.",
          ],
          [
            "ward",
            "תוכנית של מחלקה ובה שתים־עשרה מיטות, כל אחת בצבע",
            "תוכנית המחלקה נולדה בציור על מפית במטבח של האחיות.",
          ],
          ["parts", "חלונות, כפתורים וצבעים בשני כיווני כתיבה", ""],
        ],
      },
      {
        name: "גיליון התרופות ששואל לפי סדר הסבב",
        role: "מעצבת מוצר, מרפאות נורת׳ווינד",
        start: "2018",
        end: "2020",
        bullets: ["החליף את הנייר בתשע מרפאות. הרישומים השגויים פחתו ב־38 אחוזים."],
        pictures: [
          [
            "chart",
            "גיליון תרופות: שמונה שורות, שבע שעות, וקו במקום שבו נמצאים עכשיו",
            "הקו הוא עכשיו. מה שמאחוריו נעשה, או מתעכב.",
          ],
        ],
      },
    ],
    links: [
      { label: "הרצאות", url: "https://example.com/noa-levi/talks" },
      { label: "מחברת רישומים", url: "https://example.org/noa" },
    ],
  },
};

/** The page of the demo's portfolio in a language. @param files of the stored pictures, and of the portrait */
export function demoPortfolio(
  language: Locale,
  files: Readonly<Record<PictureName, string>> & { readonly portrait?: string },
): PortfolioDocument {
  const { summary, projects, links } = words[language];
  const cv = documentOf(language === "he" ? noaInHebrew : noaInEnglish);
  const entries = projects.map(({ bullets, pictures, ...project }, index) => ({
    ...project,
    id: `made-${index}`,
    bullets: bullets.map((text, at) => ({ id: `made-${index}-${at}`, text: plainRuns(text) })),
    pictures: pictures.map(([name, alt, caption]) => ({
      id: `made-${index}-${name}`,
      file: files[name],
      alt,
      caption,
    })),
  }));
  const { photo: _photo, links: _links, ...profile } = cv.profile;
  const { portrait } = files;
  return PortfolioDocument.parse({
    version: 1,
    language,
    look: { theme: "atelier", accent: "teal" },
    profile: {
      ...profile,
      photo: portrait === undefined ? null : { file: portrait, alt: "" },
      links: links.map((link, index) => ({ id: `link-${index}`, ...link })),
    },
    sections: [
      { id: "about", kind: "summary", entries: [{ id: "about-1", text: plainRuns(summary) }] },
      { id: "made", kind: "projects", entries },
      ...cv.sections.filter(({ kind }) => kind !== "summary"),
    ],
  });
}
