import type { StageKind } from "@pro-talent/schemas/applications/application";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { cleanLine } from "@pro-talent/schemas/studio/clean-text";

const statedFields = [
  "company",
  "role",
  "stage",
  "place",
  "source",
  "jobUrl",
  "salaryFrom",
  "salaryTo",
  "currency",
  "per",
  "deadline",
  "appliedOn",
] as const;
/** What a column of a table can be about. */
export const fields = [...statedFields, "salary", "note"] as const;
export type Field = (typeof fields)[number];
/** The columns of our own table, without contacts. An import has no place for the last three. */
export const ownColumns = [...statedFields, "added", "stageSince", "archived"] as const;
export const contactFields = ["name", "role", "email", "phone", "note"] as const;
export type ContactField = (typeof contactFields)[number];

type Words = {
  readonly columns: Readonly<Record<(typeof ownColumns)[number], string>>;
  readonly contact: string;
  readonly contactFields: Readonly<Record<Exclude<ContactField, "name">, string>>;
  readonly stages: Readonly<Record<StageKind, string>>;
  readonly per: Readonly<Record<"year" | "month" | "hour", string>>;
  readonly calendar: string;
  readonly deadline: string;
};

/** The words of exported files. */
export const words: Readonly<Record<Locale, Words>> = {
  en: {
    columns: {
      company: "Company",
      role: "Role",
      stage: "Stage",
      place: "Place",
      source: "Source",
      jobUrl: "Posting",
      salaryFrom: "Salary from",
      salaryTo: "Salary to",
      currency: "Currency",
      per: "Salary per",
      deadline: "Deadline",
      appliedOn: "Applied on",
      added: "Added on",
      stageSince: "In stage since",
      archived: "Archived on",
    },
    contact: "Contact",
    contactFields: { role: "role", email: "email", phone: "phone", note: "note" },
    stages: {
      saved: "Saved",
      applied: "Applied",
      interviewing: "Interviewing",
      offered: "Offer",
      accepted: "Accepted",
      rejected: "Rejected",
      withdrawn: "Withdrawn",
    },
    per: { year: "year", month: "month", hour: "hour" },
    calendar: "Pro Talent: applications",
    deadline: "Deadline",
  },
  he: {
    columns: {
      company: "חברה",
      role: "תפקיד",
      stage: "שלב",
      place: "מיקום",
      source: "מקור",
      jobUrl: "קישור למשרה",
      salaryFrom: "שכר מ",
      salaryTo: "שכר עד",
      currency: "מטבע",
      per: "תקופת שכר",
      deadline: "מועד אחרון",
      appliedOn: "תאריך הגשה",
      added: "נוספה בתאריך",
      stageSince: "בשלב מאז",
      archived: "הועברה לארכיון",
    },
    contact: "ליצירת קשר",
    contactFields: { role: "תפקיד", email: "דוא״ל", phone: "טלפון", note: "הערה" },
    stages: {
      saved: "נשמרה",
      applied: "הוגשה",
      interviewing: "בראיונות",
      offered: "התקבלה הצעה",
      accepted: "התקבלתי",
      rejected: "נדחתה",
      withdrawn: "הוסרה",
    },
    per: { year: "שנה", month: "חודש", hour: "שעה" },
    calendar: "Pro Talent: מועמדויות",
    deadline: "מועד אחרון",
  },
};

/** A title or word as it is compared: `jobUrl`, `Job URL` and `job_url` are one. */
export const comparable = (text: string): string =>
  cleanLine(text)
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .toLowerCase()
    .replaceAll(/["'״׳]/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** `Contact 2`, `Contact 2 email`. @param number from 1 */
export function contactTitle(language: Locale, number: number, field: ContactField): string {
  const { contact, contactFields: names } = words[language];
  return field === "name" ? `${contact} ${number}` : `${contact} ${number} ${names[field]}`;
}
