import type { Section } from "@pro-talent/schemas/studio/document";

type Kind = Section["kind"] | "contact";

/** Titles under which people write, in lower case. */
const titles: Readonly<Record<Exclude<Kind, "custom">, string>> = {
  contact: `contact|contact details|contact information|personal details|personal information|פרטים אישיים|פרטי קשר|פרטי התקשרות|יצירת קשר|פרטים ליצירת קשר`,
  summary: `summary|profile|about|about me|objective|professional summary|professional profile|career objective|career summary|executive summary|personal statement|personal profile|תמצית|תקציר|תקציר מנהלים|פרופיל|פרופיל אישי|אודות|על עצמי|אודותיי|קצת עליי|מטרה מקצועית|פרופיל מקצועי`,
  experience: `experience|work experience|professional experience|employment|employment history|work history|career history|relevant experience|job history|ניסיון תעסוקתי|ניסיון|נסיון תעסוקתי|ניסיון מקצועי|נסיון מקצועי|ניסיון בעבודה|תעסוקה|רקע תעסוקתי|ניסיון תעסוקתי רלוונטי`,
  education: `education|academic background|education and training|educational background|academic education|studies|qualifications|השכלה|לימודים|השכלה אקדמית|השכלה והכשרה|השכלה וקורסים|לימודים והשכלה|רקע אקדמי`,
  projects: `projects|personal projects|selected projects|key projects|side projects|academic projects|פרויקטים|פרוייקטים|פרויקטים נבחרים|פרויקטים אישיים`,
  skills: `skills|technical skills|key skills|core skills|top skills|skills and tools|skills & tools|technologies|core competencies|competencies|areas of expertise|tools|מיומנויות|כישורים|כישורים טכניים|מיומנויות וכלים|יכולות|טכנולוגיות|ידע מקצועי|מיומנויות טכניות|כישורים ומיומנויות|ידע טכני|יישומי מחשב`,
  languages: `languages|language skills|שפות|ידיעת שפות|ידע בשפות`,
  certificates: `certificates|certifications|licenses & certifications|licenses and certifications|certificates and licenses|courses|courses and certificates|courses & certifications|training|תעודות והסמכות|תעודות|הסמכות|קורסים|קורסים והסמכות|הכשרות|הכשרות וקורסים|קורסים והכשרות|רישיונות`,
  volunteering: `volunteering|volunteer experience|volunteer work|volunteer|community service|voluntary work|התנדבות|התנדבויות|פעילות התנדבותית|פעילות חברתית|התנדבות וקהילה`,
  publications: `publications|papers|articles|selected publications|research publications|פרסומים|מאמרים|פרסומים מדעיים`,
};
const kinds: readonly Kind[] = [
  "contact",
  "summary",
  "experience",
  "education",
  "projects",
  "skills",
  "languages",
  "certificates",
  "volunteering",
  "publications",
];
const kindOf = new Map(
  kinds.flatMap((kind) =>
    kind === "custom" ? [] : titles[kind].split("|").map((title) => [title, kind] as const),
  ),
);

/** The kind of section that has this usual title; undefined when it is none. */
export function kindOfTitle(text: string): Kind | undefined {
  const title = text
    .toLowerCase()
    .replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "")
    .replaceAll(/\s+/g, " ");
  return kindOf.get(title);
}
