import type { Locale } from "@pro-talent/schemas/primitives/locale";

type Words = {
  readonly names: readonly string[];
  readonly roles: readonly string[];
  readonly organisations: readonly string[];
  readonly places: readonly string[];
  readonly degrees: readonly string[];
  readonly fields: readonly string[];
  readonly verbs: readonly string[];
  readonly objects: readonly string[];
  readonly ends: readonly string[];
  readonly skills: readonly string[];
  readonly fluency: readonly string[];
  readonly languages: readonly string[];
  readonly groups: readonly string[];
};

/** What the documents of the corpus are made of. All people and organisations are invented. */
export const corpusWords: Readonly<Record<Locale, Words>> = {
  en: {
    names: [
      "Dana Levi",
      "Amelia O'Connor",
      "José Núñez",
      "Łukasz Żak",
      "Noa Ben-David",
      "Zoë van der Berg",
    ],
    roles: [
      "Senior Product Designer",
      "Backend Engineer",
      "Data Analyst",
      "Head of Operations",
      "R&D Team Lead",
      "Nurse",
    ],
    organisations: [
      "Carmel Health",
      "Blue Harbour Systems Ltd.",
      "Orchard & Sons",
      "Negev Robotics",
      "Atelier 42",
      "מכון הכרמל",
    ],
    places: ["Haifa, Israel", "Tel Aviv", "London, UK", "Remote", "Austin, TX", "São Paulo"],
    degrees: ["B.Sc.", "M.A.", "Ph.D.", "Diploma", "BFA"],
    fields: [
      "Computer Science",
      "Industrial Design",
      "Statistics",
      "Nursing",
      "Economics (Honours)",
    ],
    verbs: ["Led", "Built", "Reduced", "Designed", "Introduced", "Negotiated", "Automated"],
    objects: [
      "the planning of shifts for 1,200 nurses",
      "a C++ engine that answers in 42 ms",
      "the migration of 3.5 TB to PostgreSQL",
      "a design system used by 14 teams",
      "the onboarding of new clients",
      "reports in .NET and C#",
      "contracts worth $2.4M",
    ],
    ends: [
      "within nine months",
      "and saved 18% of the cost",
      "with a team of four",
      "from first sketch to release",
      "which halved complaints (from 310 to 150)",
      "so that planners leave on time",
    ],
    skills: [
      "TypeScript",
      "C++",
      "Figma",
      "SQL",
      "Public talks",
      "Node.js",
      "Kubernetes",
      "A/B tests",
      "Adobe InDesign",
      "Project management",
    ],
    fluency: ["Native", "Fluent", "Professional", "Basic (A2)"],
    languages: ["English", "Hebrew", "Arabic", "Russian", "French"],
    groups: ["Tools", "Programming", "Design", "Methods"],
  },
  he: {
    names: [
      "דנה לוי",
      "יעל בן־דוד",
      "אורי כהן־אלמגור",
      "נועה שפירא",
      "ג׳ורג׳ חדאד",
      "מיכל Rosenberg",
    ],
    roles: [
      "מעצבת מוצר בכירה",
      "מהנדס תוכנה Backend",
      "אנליסטית נתונים",
      "מנהל תפעול",
      "ראש צוות מו״פ",
      "אחות מוסמכת",
    ],
    organisations: [
      "מרכז רפואי כרמל",
      "נגב רובוטיקה בע״מ",
      "Blue Harbour Systems",
      "פרדס ובניו",
      "סטודיו 42",
      "רשת צל״ש",
    ],
    places: ["חיפה", "תל אביב–יפו", "עבודה מרחוק", "באר שבע", "London", "ירושלים"],
    degrees: ["תואר ראשון", "תואר שני", "B.Sc.", "תעודת הוראה", "דוקטורט"],
    fields: ["מדעי המחשב", "עיצוב תעשייתי", "סטטיסטיקה", "סיעוד", "כלכלה וניהול"],
    verbs: ["הובלתי", "בניתי", "צמצמתי", "עיצבתי", "הטמעתי", "ניהלתי", "יזמתי"],
    objects: [
      "את תכנון המשמרות של 1,200 אחיות",
      "מנוע ב־C++ שעונה בתוך 42 ms",
      "את המעבר של 3.5 TB אל PostgreSQL",
      "מערכת עיצוב שמשמשת 14 צוותים",
      "את הקליטה של לקוחות חדשים",
      "דוחות ב־.NET וב־C#",
      "חוזים בהיקף של ₪2.4M",
    ],
    ends: [
      "בתוך תשעה חודשים",
      "וחסכתי 18% מהעלות",
      "עם צוות של ארבעה אנשים",
      "מהסקיצה הראשונה ועד ההשקה",
      "ומספר התלונות ירד מ־310 ל־150",
      "כך שהמתכננים מסיימים בזמן",
    ],
    skills: [
      "TypeScript",
      "C++",
      "Figma",
      "SQL",
      "עמידה מול קהל",
      "Node.js",
      "ניהול פרויקטים",
      "בדיקות A/B",
      "עיצוב שירות",
      "Excel",
    ],
    fluency: ["שפת אם", "רמה גבוהה", "רמה מקצועית", "בסיסית"],
    languages: ["עברית", "אנגלית", "ערבית", "רוסית", "צרפתית"],
    groups: ["כלים", "תכנות", "עיצוב", "שיטות"],
  },
};
