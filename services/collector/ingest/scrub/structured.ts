import { isIPv6 } from "node:net";

import { codiceFiscale, dni, hetu, ibanCheck, residentCard } from "./check-digits.ts";
import { type Finding, matches } from "./finding.ts";

/** Lengths by country: ISO 13616 registry, and countries that use the form without an entry. */
const ibanChars = new Map(
  "NO15 BE16 DK18 FI18 FK18 FO18 GL18 NL18 SD18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 MN20 XK20 CH21 CR22 IR26 AO25 BF28 BJ28 CF27 CG27 CI28 CM27 CV25 DZ26 GA27 GQ27 GW25 HN28 KM27 MA28 MG27 ML28 MZ25 NE28 SN28 TD27 TG28 HR21 LI21 LV21 BG22 BH22 DE22 GB22 GE22 IE22 ME22 RS22 VA22 AE23 GI23 IL23 IQ23 OM23 SO23 TL23 AD24 CZ24 ES24 MD24 PK24 RO24 SA24 SE24 SK24 TN24 VG24 LY25 PT25 ST25 IS26 TR26 BI27 DJ27 FR27 GR27 IT27 MC27 MR27 SM27 AL28 AZ28 BY28 CY28 DO28 GT28 HU28 LB28 NI28 PL28 SV28 BR29 EG29 PS29 QA29 UA29 JO30 KW30 MU30 YE30 MT31 SC31 LC32 RU33"
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Identity numbers with more than digits: pattern and check. */
const lettered: readonly (readonly [RegExp, (compact: string) => boolean])[] = [
  [/(?<![a-z\d])(?:\d{8}|[xyz][ -]?\d{7})[ -]?[a-z](?![a-z\d])/gi, dni],
  [
    /(?<![a-z\d])[a-z]{6}[\dl-v]{2}[abcdehlmprst][\dl-v]{2}[a-z][\dl-v]{3}[a-z](?![a-z\d])/gi,
    codiceFiscale,
  ],
  [/(?<![a-z\d])[1-9]\d{5}(?:19|20)\d{2}[01]\d[0-3]\d{4}[\dx](?![a-z\d])/gi, residentCard],
  [/(?<![a-z\d])[0-3]\d[01]\d{3}[-+a-f]\d{3}[\da-y](?![a-z\d])/gi, hetu],
  // Without a check digit, but of one shape: United Kingdom (NINO) and Mexico (CURP).
  [
    /(?<![a-z\d])(?!bg|gb|kn|nk|nt|tn|zz)[a-ceghj-pr-tw-z][a-ceghj-npr-tw-z](?: ?\d\d){3} ?[a-d](?![a-z\d])/gi,
    () => true,
  ],
  [/(?<![a-z\d])[a-z]{4}\d{2}[01]\d[0-3]\d[hm][a-z]{5}[\da-z]\d(?![a-z\d])/gi, () => true],
];

/** Identity numbers that are not digits alone. */
export function* letteredIds(text: string): Iterable<Finding> {
  for (const [pattern, check] of lettered)
    yield* matches("[id]", text, pattern, (match) =>
      check(match.replaceAll(/[ -]/g, "").toUpperCase()),
    );
}

/** International bank account numbers, with and without spaces. */
export function* ibans(text: string): Iterable<Finding> {
  for (const { 0: head, index } of text.matchAll(/(?<![a-z\d])[a-z]{2}\d\d(?=[ -]?[a-z\d]{2})/gi)) {
    const chars = ibanChars.get(head.slice(0, 2).toUpperCase());
    if (chars === undefined) continue;
    let compact = head.toUpperCase();
    let to = index + head.length;
    for (; compact.length < chars && to < text.length; to += 1) {
      const character = text.charAt(to);
      if (isAlphanumeric(text, to)) compact += character.toUpperCase();
      else if ((character !== " " && character !== "-") || !isAlphanumeric(text, to + 1)) break;
    }
    const whole = compact.length === chars && !isAlphanumeric(text, to);
    if (whole && ibanCheck(compact)) yield { mark: "[iban]", from: index, to };
  }
}

/** Of 0 to 9 and A to Z, in any case; false at the end of the text. */
function isAlphanumeric(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const small = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (small >= 0x61 && small <= 0x7a);
}

const octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const ipv4 = new RegExp(`(?<![\\d.])${octet}(?:\\.${octet}){3}(?!\\.?\\d)`, "g");
const ipv6 =
  /(?<![a-z\d:.])(?:[\da-f]{0,4}:){2,8}(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{1,4})?(?![a-z\d:])/gi;
const hardware = /(?<![a-z\d:-])[\da-f]{2}([:-])(?:[\da-f]{2}\1){4}[\da-f]{2}(?![\w:-])/gi;
const versionWord =
  /(?:(?<!\p{L})(?:v|ver|version|release|build|firmware|update|patch|sdk|driver|chrome|firefox|safari|edge|opera|electron|node|java|windows|section|chapter|גרסה|גירסה|סעיף)(?:\.js)?\.?|[a-z]{3,}\/)[ :=]?$/iu;

/** Addresses of machines (IPv4, IPv6, mapped, hardware); not versions such as `131.0.0.0`. */
export function* addresses(text: string): Iterable<Finding> {
  yield* matches("[ip]", text, hardware);
  yield* matches(
    "[ip]",
    text,
    ipv6,
    (match) => isIPv6(match) && (/\d/.test(match) || match.length > 10),
  );
  yield* matches("[ip]", text, ipv4, (match, index) => {
    const before = text.slice(Math.max(0, index - 12), index);
    if (versionWord.test(before)) return false;
    // A version of a product begins small; a slug joins it with a hyphen.
    if (/[a-z]-$/i.test(before) && Number.parseInt(match, 10) < 10) return false;
    return !match.endsWith(".0.0") || /^(?:10|127|172|192)\./.test(match);
  });
}
