import { cleanLine } from "@pro-talent/schemas/studio/clean-text";

export type RoleAndCompany = { readonly role: string; readonly company: string };

const titleCharsMax = 300;

/** Sites that publish postings of others, and systems that companies publish theirs with. */
const sites =
  /^(?:www\.)?(?:linkedin|indeed|glassdoor|greenhouse|lever|workable|comeet|smartrecruiters|workday|ashby|monster|ziprecruiter|wellfound|alljobs|drushim|jobmaster|jobnet|gotfriends|ethosia|אולג['׳]ובס|דרושים|דרושים il|ג['׳]וב ?מאסטר|jobs?|careers?|קריירה|משרות)(?:\.(?:com|io|co\.il|co))?(?: jobs| israel| ישראל)?$/iu;

/** Words of which a role consists more often than a company. */
const roleWords =
  /engineer|develop|manager|design|analyst|scientist|architect|lead\b|head of|director|specialist|consultant|coordinator|assistant|representative|accountant|administrator|intern\b|officer|recruiter|technician|programmer|writer|editor|nurse|teacher|מפתח|מהנדס|מנהל|מעצב|אנליסט|ראש צוות|רכז|נציג|יועצ|בודק|טכנאי|חשב|מזכיר|מורה|אחות|מתכנת|כלכלנ|עוזר|סטודנט/iu;

/** What stands before the name of an event about an application, or before a role. */
const prefix =
  /^(?:deadline|apply by|application deadline|interview|phone screen|screening|מועד אחרון(?: להגשה)?|להגיש עד|דדליין|ראיון(?: עבודה| טלפוני)?|שיחת סינון|דרושים|דרושה|דרוש)\s*[:\u2013\u2014-]\s*/iu;

const wanted = String.raw`(?:דרושים\/ות|דרוש\/ה|דרוש\.ה|דרושה|דרושים|דרוש|משרת|תפקיד)`;
const forms: readonly RegExp[] = [
  /^(?:[\p{L}]+ )?(?:interview|call|phone screen|screening) (?:with|at) (?<company>.+)$/iu,
  /^(?:ראיון|שיחה)(?: [\p{L}]+)? (?:[בל]חברת|אצל|עם|[בל][\u2010-\u2013-]) ?(?<company>.+)$/u,
  /^job application for (?<role>.+) at (?<company>.+)$/iu,
  /^(?<company>.+?) (?:is )?hiring (?:an? )?(?<role>.+?)(?: in [^,]+(?:,.*)?)?$/iu,
  /^(?<role>.+) (?:at|@) (?<company>.+)$/iu,
  // "in the company Acme", "at Acme": the preposition of one character stands before a hyphen, or before another script.
  new RegExp(String.raw`^(?:${wanted} )?(?<role>.+?) (?:[בל]חברת|אצל) (?<company>.+)$`, "u"),
  new RegExp(
    String.raw`^(?:${wanted} )?(?<role>.+?) [בל][\u2010-\u2013-]? ?(?<company>(?<=[\u2010-\u2013-] ?).+|[A-Za-z].*)$`,
    "u",
  ),
  /^(?:חברת )?(?<company>.+?) (?:מגייסת|מגייסים|מחפשת|מחפשים) (?<role>.+)$/u,
];
const separators = / [|\u2013\u2014·•:-] | ?[|•] ?/u;

/**
 * Role and company from the title of a page or an event, such as "Role at Company", "Company hiring Role",
 * "Role - Company | Site" and their Hebrew forms. Names of job boards are left out. What is not found is empty;
 * a title without a form is a role.
 * @param site the name that the page gives its site
 */
export function roleAndCompany(title: string, site = ""): RoleAndCompany {
  const parts = cleanLine(title)
    .slice(0, titleCharsMax)
    .replace(prefix, "")
    .split(separators)
    .map((part) => part.trim())
    .filter((part) => part !== "" && !sites.test(part));
  const [first = "", second = ""] = parts;
  for (const form of forms) {
    const { role = "", company } = form.exec(first)?.groups ?? {};
    if (company !== undefined) return { role, company };
  }
  if (second === "") return { role: first, company: sites.test(site) ? "" : cleanLine(site) };
  const isReversed =
    first === cleanLine(site) || (roleWords.test(second) && !roleWords.test(first));
  return isReversed ? { role: second, company: first } : { role: first, company: second };
}
