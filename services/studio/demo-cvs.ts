import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { CvDocument } from "@pro-talent/schemas/studio/document";
import { plainRuns } from "@pro-talent/schemas/studio/rich-text";

type Period = { readonly start: string; readonly end: string };
type Work = Period & {
  readonly role: string;
  readonly organisation: string;
  readonly place: string;
  readonly bullets: readonly string[];
};
type Studies = Period & {
  readonly degree: string;
  readonly institution: string;
  readonly place: string;
};

/** An invented person's CV, in the words of one language. */
export type InventedCv = {
  readonly language: Locale;
  readonly title: string;
  readonly profile: Omit<CvDocument["profile"], "photo" | "links"> & { readonly url: string };
  readonly page: Partial<CvDocument["page"]>;
  readonly summary: string;
  readonly work: readonly Work[];
  readonly studies: readonly Studies[];
  readonly skills: readonly { readonly name: string; readonly items: readonly string[] }[];
  readonly languages: readonly { readonly name: string; readonly fluency: string }[];
};

/** The document of an invented CV; ids are its own, and the same in both languages. */
export function documentOf(cv: InventedCv): CvDocument {
  const { language, page, summary, work, studies, skills, languages } = cv;
  const { url, ...profile } = cv.profile;
  const numbered = <Item extends object>(section: string, items: readonly Item[]) =>
    items.map((item, index) => ({ id: `${section}-${index + 1}`, ...item }));
  const experience = numbered("work", work).map((one) => ({
    ...one,
    bullets: one.bullets.map((text, index) => ({
      id: `${one.id}-${index + 1}`,
      text: plainRuns(text),
    })),
  }));
  const sections = {
    summary: [{ id: "summary-1", text: plainRuns(summary) }],
    experience,
    education: numbered("studies", studies),
    skills: numbered("skills", skills),
    languages: numbered("languages", languages),
  };
  return CvDocument.parse({
    version: 1,
    language,
    page,
    profile: { ...profile, links: url === "" ? [] : [{ id: "portfolio", label: "", url }] },
    sections: Object.entries(sections).map(([kind, entries]) => ({ id: kind, kind, entries })),
  });
}

export const noaInEnglish: InventedCv = {
  language: "en",
  title: "Product designer",
  profile: {
    fullName: "Noa Levi",
    headline: "Product designer for hospitals",
    email: "noa.levi@example.com",
    phone: "+972 50 555 0100",
    place: "Tel Aviv, Israel",
    url: "https://example.com/noa-levi/work",
  },
  page: { template: "rail", accent: "teal", fonts: "humanist" },
  summary:
    "Designer of tools that nurses open at three in the morning and still understand. Ten years with wards, planners and developers, in English and in Hebrew; before that a ward nurse.",
  work: [
    {
      role: "Lead product designer",
      organisation: "Carmel Health Systems",
      place: "Haifa",
      start: "2021-03",
      end: "present",
      bullets: [
        "Redesigned the handover between shifts with 14 wards; time for a handover fell from 31 to 19 minutes.",
        "Set up a design system of 60 components in both writing directions, used by five teams.",
        "Lead four designers; run a study with nurses every second week.",
      ],
    },
    {
      role: "Product designer",
      organisation: "Northwind Clinics",
      place: "Tel Aviv",
      start: "2016-09",
      end: "2021-02",
      bullets: [
        "Designed the medication chart that replaced paper in nine clinics.",
        "Cut wrong entries by 38 per cent with a form that asks in the order of the round.",
      ],
    },
    {
      role: "Registered nurse",
      organisation: "Galilee Medical Centre",
      place: "Nahariya",
      start: "2012-10",
      end: "2016-08",
      bullets: ["Internal medicine, 36 beds; trained new colleagues in the electronic record."],
    },
  ],
  studies: [
    {
      degree: "M.Des., interaction design",
      institution: "Bezalel Academy of Arts and Design",
      place: "Jerusalem",
      start: "2014",
      end: "2016",
    },
    {
      degree: "B.A., nursing",
      institution: "University of Haifa",
      place: "Haifa",
      start: "2008",
      end: "2012",
    },
  ],
  skills: [
    { name: "Design", items: ["Interaction design", "Design systems", "Prototyping", "Figma"] },
    { name: "Research", items: ["Contextual inquiry", "Usability testing", "Surveys"] },
    { name: "Code", items: ["HTML", "CSS", "TypeScript"] },
  ],
  languages: [
    { name: "Hebrew", fluency: "native" },
    { name: "English", fluency: "fluent" },
    { name: "Arabic", fluency: "conversational" },
  ],
};

export const noaInHebrew: InventedCv = {
  ...noaInEnglish,
  language: "he",
  title: "מעצבת מוצר",
  profile: {
    ...noaInEnglish.profile,
    fullName: "נועה לוי",
    headline: "מעצבת מוצר לבתי חולים",
    place: "תל אביב",
  },
  summary:
    "מעצבת כלים שאחיות פותחות בשלוש לפנות בוקר ועדיין מבינות. עשר שנים של עבודה עם מחלקות, מתכננים ומפתחים, בעברית ובאנגלית; לפני כן אחות במחלקה.",
  work: [
    {
      role: "מעצבת מוצר ראשית",
      organisation: "כרמל מערכות בריאות",
      place: "חיפה",
      start: "2021-03",
      end: "present",
      bullets: [
        "עיצבתי מחדש את העברת המשמרת עם 14 מחלקות; משך ההעברה ירד מ־31 ל־19 דקות.",
        "הקמתי מערכת עיצוב של 60 רכיבים בשני כיווני הכתיבה, בשימוש של חמישה צוותים.",
        "מובילה ארבעה מעצבים ועורכת מחקר עם אחיות אחת לשבועיים.",
      ],
    },
    {
      role: "מעצבת מוצר",
      organisation: "מרפאות נורת׳ווינד",
      place: "תל אביב",
      start: "2016-09",
      end: "2021-02",
      bullets: [
        "עיצבתי את גיליון התרופות שהחליף את הנייר בתשע מרפאות.",
        "הפחתתי ב־38 אחוזים רישומים שגויים בעזרת טופס ששואל לפי סדר הביקור.",
      ],
    },
    {
      role: "אחות מוסמכת",
      organisation: "המרכז הרפואי לגליל",
      place: "נהריה",
      start: "2012-10",
      end: "2016-08",
      bullets: ["רפואה פנימית, 36 מיטות; הדרכתי עמיתים חדשים בתיק הרפואי הממוחשב."],
    },
  ],
  studies: [
    {
      degree: "תואר שני בעיצוב אינטראקציה",
      institution: "בצלאל אקדמיה לאמנות ועיצוב",
      place: "ירושלים",
      start: "2014",
      end: "2016",
    },
    {
      degree: "תואר ראשון בסיעוד",
      institution: "אוניברסיטת חיפה",
      place: "חיפה",
      start: "2008",
      end: "2012",
    },
  ],
  skills: [
    { name: "עיצוב", items: ["עיצוב אינטראקציה", "מערכות עיצוב", "אבות טיפוס", "Figma"] },
    { name: "מחקר", items: ["תצפיות בשטח", "מבחני שימושיות", "סקרים"] },
    { name: "קוד", items: ["HTML", "CSS", "TypeScript"] },
  ],
  languages: [
    { name: "עברית", fluency: "שפת אם" },
    { name: "אנגלית", fluency: "ברמה גבוהה" },
    { name: "ערבית", fluency: "ברמת שיחה" },
  ],
};

export const yonatan: InventedCv = {
  language: "he",
  title: "מפתח תוכנה",
  profile: {
    fullName: "יונתן אביב",
    headline: "מפתח תוכנה",
    email: "yonatan.aviv@example.com",
    phone: "052-555-0123",
    place: "באר שבע",
    url: "",
  },
  page: { template: "classic", accent: "blue", fonts: "serif" },
  summary: "מפתח צד שרת עם שלוש שנות ניסיון ב־TypeScript וב־PostgreSQL.",
  work: [
    {
      role: "מפתח צד שרת",
      organisation: "נגב לוגיסטיקה",
      place: "באר שבע",
      start: "2023-02",
      end: "present",
      bullets: [
        "בניתי את שירות המשלוחים, שמטפל ב־40,000 הזמנות ביום.",
        "קיצרתי את זמן הבדיקות מ־22 דקות ל־6.",
      ],
    },
  ],
  studies: [
    {
      degree: "תואר ראשון במדעי המחשב",
      institution: "אוניברסיטת בן־גוריון בנגב",
      place: "באר שבע",
      start: "2019",
      end: "2022",
    },
  ],
  skills: [{ name: "", items: ["TypeScript", "Node.js", "PostgreSQL", "Docker"] }],
  languages: [
    { name: "עברית", fluency: "שפת אם" },
    { name: "אנגלית", fluency: "טובה" },
  ],
};
