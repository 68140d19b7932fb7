import { applicationLimits } from "@pro-talent/schemas/applications/limits";
import { cleanLine } from "@pro-talent/schemas/studio/clean-text";

import { roleAndCompany } from "../role-and-company.ts";
import { pageMetadata, plainOf } from "./page-metadata.ts";

/** What a posting says of itself; empty where it says nothing. */
export type Posting = { readonly company: string; readonly role: string; readonly place: string };

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** Postings stand at most within a list, its items and a graph. */
const depthMax = 6;
const scriptsMax = 50;

/** Titles of pages that stand before the posting: of sign-ins, of checks for robots, of errors. */
const barrier =
  /^(?:sign (?:in|up)|log ?in|join linkedin|just a moment|access (?:is )?denied|attention required|security check|are you (?:a )?(?:human|robot)|verify|captcha|page not found|not found|error|40[0-9]|50[0-9]|כניסה|התחברות|הדף לא נמצא|העמוד לא נמצא)(?![\p{L}])/iu;

/**
 * Company, role and place of a page: from JSON-LD, else microdata, else the title that it gives itself for
 * sharing, else its own title.
 * @returns undefined for a page that names no role
 */
export function readPosting(html: string): Posting | undefined {
  const { scripts, meta, items, title } = pageMetadata(html);
  const structured = jobPosting(scripts.slice(0, scriptsMax).map(readJson), 0);
  const shared = roleAndCompany(meta.get("og:title") ?? "", meta.get("og:site_name"));
  const titled = roleAndCompany(title, meta.get("og:site_name"));
  const address = firstOf(fieldOf(structured, "jobLocation"), "address");
  const posting = {
    role: line(
      fieldOf(structured, "title"),
      items.get("title"),
      shared.company === "" ? titled.company !== "" && titled.role : shared.role,
      shared.role,
      titled.role,
    ),
    company: line(
      firstOf(fieldOf(structured, "hiringOrganization"), "name"),
      items.get("hiringOrganization.name"),
      items.get("hiringOrganization"),
      shared.company,
      titled.company,
    ),
    place: line(
      firstOf(address, "addressLocality"),
      firstOf(address, "addressRegion"),
      firstOf(fieldOf(address, "addressCountry"), "name"),
      items.get("addressLocality"),
    ),
  };
  const isBarrier = structured === undefined && barrier.test(posting.role);
  return posting.role === "" || isBarrier ? undefined : posting;
}

/** The first of these that is a text with characters, on one line of at most the usual length. */
function line(...candidates: readonly unknown[]): string {
  for (const candidate of candidates) {
    if (typeof candidate !== "string") continue;
    const text = cleanLine(plainOf(candidate));
    if (text !== "") return cleanLine(text.slice(0, applicationLimits.lineCharsMax));
  }
  return "";
}

const fieldOf = (value: unknown, name: string): unknown =>
  isFields(value) && !Array.isArray(value) ? value[name] : undefined;

/** A field of a value, or of the first of several; a text stands for itself. */
function firstOf(value: unknown, name: string): unknown {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return isFields(first) ? first[name] : first;
}

/** JSON as pages have it: within comments, with line breaks in texts and commas at ends. Undefined for none. */
function readJson(script: string): unknown {
  const bare = script.replaceAll(
    /^\s*(?:<!--|\/[/*]\s*<!\[CDATA\[)(?:\*\/)?|(?:-->|\/[/*]\s*\]\]>)(?:\*\/)?\s*$/gu,
    "",
  );
  const repaired = bare.replaceAll(/\p{Cc}/gu, " ").replaceAll(/,(?=\s*[}\]])/gu, "");
  for (const text of [bare, repaired, repaired.trimEnd().replace(/;$/u, "")]) {
    try {
      return JSON.parse(text);
    } catch {
      // The next form may be valid.
    }
  }
  return undefined;
}

/** The first posting within structured data, wherever it is nested. */
function jobPosting(value: unknown, depth: number): Fields | undefined {
  if (!isFields(value) || depth > depthMax) return undefined;
  if (!Array.isArray(value)) {
    const types: unknown = value["@type"];
    if ([types].flat().includes("JobPosting")) return value;
  }
  for (const nested of Object.values(value)) {
    const found = jobPosting(nested, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
