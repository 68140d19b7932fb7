/** The words of a contact message, free of the validator so that the browser can use them. */
export const contactPath = "/api/contact/send";

/** What a message is about (specification §3). Under `other` the writer names the subject. */
export const subjectCategories = [
  "general",
  "support",
  "billing",
  "feature",
  "bug",
  "partnership",
  "other",
] as const;
export type SubjectCategory = (typeof subjectCategories)[number];

export function isSubjectCategory(value: unknown): value is SubjectCategory {
  return subjectCategories.some((category) => category === value);
}

/** How a form that the browser sent without scripts was answered: sections of the page `/answer`. */
export const contactFormAnswers = [
  "contact-received",
  "contact-incomplete",
  "contact-failed",
] as const;
export type ContactFormAnswer = (typeof contactFormAnswers)[number];
