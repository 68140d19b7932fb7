import type { StageKind } from "@pro-talent/schemas/applications/application";

import type { ContactField, Field } from "./words.ts";

/** Words in the form of `comparable`, in English and in Hebrew, the most certain first. */
const listed = (english: string, hebrew: string): readonly string[] =>
  [...english.split(", "), ...hebrew.split(", ")].filter((word) => word !== "");

/** Titles that tables of other trackers and people's own have. */
export const titles: Readonly<Record<Field, readonly string[]>> = {
  company: listed(
    "company, company name, employer, employer name, organization, organisation",
    "חברה, שם החברה, שם חברה, מעסיק, ארגון, מקום עבודה",
  ),
  role: listed(
    "role, job title, position, role title, job position, position title, title, job",
    "תפקיד, שם התפקיד, משרה, שם המשרה, תואר, תפקיד משרה, משרה תפקיד",
  ),
  stage: listed("stage, status, application status, list, list name, column", "שלב, סטטוס, מצב"),
  place: listed("place, location, job location, city", "מיקום, מקום, עיר, אזור"),
  source: listed(
    "source, job source, channel, platform, found on, found via, applied via, job board",
    "מקור, ערוץ, דרך, איך הגעתי, פלטפורמה",
  ),
  jobUrl: listed(
    "posting, job url, job link, job posting, posting url, job post url, source url, url, link",
    "קישור למשרה, קישור, לינק, לינק למשרה, כתובת המשרה",
  ),
  salary: listed("salary, salary range, compensation, pay", "שכר, משכורת, טווח שכר, ציפיות שכר"),
  salaryFrom: listed("salary from, min salary, minimum salary, salary min", "שכר מ, שכר מינימום"),
  salaryTo: listed("salary to, max salary, maximum salary, salary max", "שכר עד, שכר מקסימום"),
  currency: listed("currency, salary currency", "מטבע"),
  per: listed("salary per, salary period, pay period", "תקופת שכר"),
  deadline: listed(
    "deadline, application deadline, apply by, closing date, due date",
    "מועד אחרון, מועד אחרון להגשה, תאריך אחרון להגשה, דדליין",
  ),
  appliedOn: listed(
    "applied on, date applied, applied date, application date, applied at, date of application, applied, date",
    "תאריך הגשה, הוגש בתאריך, מועד הגשה, הוגש, הוגשה, תאריך שליחה, תאריך",
  ),
  note: listed("notes, note, comments, comment, remarks", "הערות, הערה, תגובות"),
};

/** Of the first contact; those of the others have a number, as in our own table. */
export const contactTitles: Readonly<Record<ContactField, readonly string[]>> = {
  name: listed(
    "contact, contact name, contact person, recruiter, recruiter name, hiring manager",
    "איש קשר, אשת קשר, איש אשת קשר, שם איש קשר, ליצירת קשר, מגייס, מגייסת",
  ),
  role: listed("contact role, contact title", ""),
  email: listed("contact email, recruiter email", "דואל איש קשר, מייל איש קשר, אימייל איש קשר"),
  phone: listed("contact phone, recruiter phone", "טלפון איש קשר"),
  note: listed("contact note, contact notes", ""),
};

/** What other trackers and people call a stage of a kind. */
export const stageNames: Readonly<Record<StageKind, readonly string[]>> = {
  saved: listed(
    "wishlist, bookmarked, saved, to apply, interested, draft, new, not applied, todo, to do, applying, researching",
    "לשלוח, להגיש, טיוטה, שמור, שמורה, מעניין, טרם הוגש, חדש",
  ),
  applied: listed(
    "applied, sent, submitted, application sent, waiting, pending, in review, under review",
    "הוגש, הוגשה, נשלח, נשלחה, שלחתי, הגשתי, ממתין, ממתינה, בבדיקה",
  ),
  interviewing: listed(
    "interviewing, interview, interviews, phone screen, screening, screen, phone interview, technical interview, final interview, assessment, home assignment, in progress",
    "ראיון, ראיונות, בראיונות, ראיון טלפוני, ראיון טכני, סינון, מטלת בית, מבחן בית, בתהליך",
  ),
  offered: listed(
    "offer, offered, offer received, negotiating, negotiation",
    "הצעה, התקבלה הצעה, קיבלתי הצעה, משא ומתן",
  ),
  accepted: listed(
    "accepted, offer accepted, hired, signed",
    "התקבלתי, התקבל, התקבלה, חתמתי, אושר",
  ),
  rejected: listed(
    "rejected, declined, ghosted, no response, no answer, expired, not selected",
    "נדחה, נדחתה, נדחיתי, דחייה, שלילי, לא התקבלתי, אין מענה",
  ),
  withdrawn: listed(
    "withdrawn, withdrew, i withdrew, not interested, offer declined, cancelled, canceled",
    "הוסר, הוסרה, ויתרתי, בוטל, בוטלה, לא מעוניין, לא מעוניינת, הסרתי מועמדות",
  ),
};
