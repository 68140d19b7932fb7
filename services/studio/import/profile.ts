import { contactsIn } from "./contact.ts";
import type { Read } from "./findings.ts";
import { type Line, textOf, textOfPart } from "./lines.ts";

const separators = /\s*[|•·]\s*/u;
/** A line of more characters is about the person, not a headline. */
const headlineCharsMax = 110;

/** What the lines above the first section say. */
type Head = {
  readonly emails: string[];
  readonly phones: string[];
  readonly links: { label: string; url: string }[];
  /** Beside contact data. */
  readonly places: string[];
  /** In lines of their own. */
  readonly names: Line[];
  readonly prose: Line[];
};

const hasContact = ({ emails, phones, links }: ReturnType<typeof contactsIn>): boolean =>
  emails.length + phones.length + links.length > 0;

function readHead(lines: readonly Line[]): Head {
  const head: Head = { emails: [], phones: [], links: [], places: [], names: [], prose: [] };
  for (const line of lines) {
    const found = line.parts.map((part) => contactsIn(textOfPart(part)));
    const isProse = textOf(line).length > headlineCharsMax || line.isBullet;
    if (!found.some(hasContact)) {
      (isProse ? head.prose : head.names).push(line);
      continue;
    }
    for (const { emails, phones, links, rest } of found) {
      head.emails.push(...emails);
      head.phones.push(...phones);
      head.links.push(...links);
      head.places.push(
        ...rest
          .split(separators)
          .map((text) => text.replaceAll(/^[\s,:;–—-]+|[\s,:;–—-]+$/gu, ""))
          .filter((text) => /\p{L}/u.test(text)),
      );
    }
  }
  return head;
}

/** The line that stands out most, or the first. */
function nameIn(lines: readonly Line[]): Line | undefined {
  return lines.reduce<Line | undefined>(
    (best, line) => (best === undefined || line.rank > best.rank ? line : best),
    undefined,
  );
}

const isPlace = (text: string): boolean =>
  text.length <= 50 && !/\d{3}/.test(text) && /^[^,]+,\s*[^,]+(?:,\s*[^,]+)?$/u.test(text);

/**
 * Name, headline and contact data from the lines above the first section.
 * @returns `prose`: lines that are rather a summary
 */
export function profileFrom(lines: readonly Line[], read: Read) {
  const head = readHead(lines);
  const name = nameIn(head.names);
  const others = head.names.filter((line) => line !== name);
  // Name and headline may stand in one row.
  const beside = (name?.parts ?? []).slice(1).map(textOfPart);
  const texts = [...beside, ...others.map(textOf)];
  const stated = head.places.length > 0 ? undefined : texts.slice(1).find(isPlace);
  const [place = stated ?? "", ...further] = head.places;
  const headline = texts.filter((text) => text !== stated);
  for (const text of further) read.dropped("profile.place", "no-place", text);
  for (const text of head.emails.slice(1)) read.dropped("profile.email", "too-many", text);
  for (const text of head.phones.slice(1)) read.dropped("profile.phone", "too-many", text);
  if (headline.length > 1) read.dropped("profile.headline", "uncertain", headline.join(" "));
  const profile = {
    fullName: read.line(textOfPart(name?.parts[0] ?? []), "profile.fullName"),
    headline: read.shortened(headline.join(" "), "profile.headline"),
    email: read.line(head.emails[0] ?? "", "profile.email"),
    phone: read.line(head.phones[0] ?? "", "profile.phone"),
    place: read.line(place, "profile.place"),
    links: read
      .atMost(head.links, "profileLinksMax", "profile.links")
      .map(({ label, url }, index) => ({
        id: `link${index}`,
        label: read.line(label, `profile.links.link${index}`),
        url: read.address(url, `profile.links.link${index}`),
      })),
  };
  return { profile, prose: head.prose };
}
