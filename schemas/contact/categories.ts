/** Constants of contact messages, free of the validator so that the browser can use them. */
export const contactPath = "/api/contact/send";

/** What a message is about (specification §3). Under `other` the sender names the subject. */
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

/** Sections of the page `/answer` that the plain contact form leads to. */
export const contactFormAnswers = [
  "contact-received",
  "contact-incomplete",
  "contact-failed",
] as const;
export type ContactFormAnswer = (typeof contactFormAnswers)[number];
