import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";
import { linkTarget, telephoneTarget } from "@pro-talent/schemas/studio/link";

/** What reaches a person, taken out of a text. */
export type Contacts = {
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly links: readonly { readonly label: string; readonly url: string }[];
  /** What is none of these. */
  readonly rest: string;
};

const email = /[^\s<>()[\],;:|"\u2022\u00B7]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const phone =
  /(?<![\p{L}\p{N}/.])(?:\+|\(?0|\(?\d)[\d\s().\u2010-\u2013-]{6,20}\d(?![\p{L}\p{N}/])/gu;
const url =
  /(?:(?<label>[\p{L}][\p{L} ]{0,24}):\s*)?(?<address>(?:https?:\/\/|www\.)[^\s<>|,;]+|(?<![\p{L}\p{N}@.])(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|me|co|il|app|ai|info|edu|gov|uk|de|design|tech|blog|page|site)(?:\/[^\s<>|,;]*)?(?![\p{L}\p{N}@]))/giu;
const labels =
  /(?<![\p{L}])(?:e-?mail|phone|mobile|cell|tel|telephone|address|location|linkedin|website|web|github|portfolio|דוא["״']?ל|אימייל|מייל|טלפון|נייד|כתובת|מגורים|אתר|לינקדאין)\s*[:.]?\s*(?=$|[|•·,;])|(?<![\p{L}])(?:e-?mail|phone|mobile|tel|address|location|דוא["״']?ל|אימייל|מייל|טלפון|נייד|כתובת|מגורים|אתר)\s*:/giu;
const hosts: readonly (readonly [host: RegExp, label: string])[] = [
  [/(?:^|\.)linkedin\.com/i, "LinkedIn"],
  [/(?:^|\.)github\.com/i, "GitHub"],
  [/(?:^|\.)behance\.net/i, "Behance"],
];

const hostOf = (address: string): string =>
  address.replace(/^https?:\/\/(?:www\.)?/i, "").split("/")[0] ?? "";
const usualLabel = (address: string): string =>
  hosts.find(([host]) => host.test(hostOf(address)))?.[1] ?? "";

/** Finds mailboxes, telephone numbers and addresses in a text. */
export function contactsIn(text: string): Contacts {
  const emails: string[] = [];
  const phones: string[] = [];
  const links: { label: string; url: string }[] = [];
  const rest = text
    .replaceAll(email, (found) => {
      const address = found.replace(/^mailto:/i, "").replace(/[.]$/, "");
      if (!looksLikeEmail(address)) return found;
      emails.push(address);
      return "|";
    })
    .replaceAll(url, (found, ...groups) => {
      const named: unknown = groups.at(-1);
      const { label = "", address = "" } = namesOf(named);
      const target = address.replace(/[.)]+$/, "");
      if (linkTarget(target.replace(/^http:/i, "https:")) === null) return found;
      links.push({ label: label.trim() || usualLabel(target), url: target });
      return "|";
    })
    .replaceAll(phone, (found) => {
      if (
        telephoneTarget(found) === null ||
        /^(?:19|20)\d\d\s*[-\u2010-\u2013]\s*(?:19|20)\d\d$/.test(found)
      )
        return found;
      phones.push(found.trim());
      return "|";
    })
    .replaceAll(labels, "|");
  return { emails, phones, links, rest };
}

type Names = { readonly label?: string; readonly address?: string };
/** The named groups of a match, which are its last argument. */
function namesOf(groups: unknown): Names {
  if (typeof groups !== "object" || groups === null) return {};
  const { label, address }: { label?: unknown; address?: unknown } = groups;
  return {
    ...(typeof label === "string" ? { label } : {}),
    ...(typeof address === "string" ? { address } : {}),
  };
}
