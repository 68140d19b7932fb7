import {
  cpf,
  isDay,
  luhn,
  nir,
  personnummer,
  pesel,
  southAfrican,
  tckn,
  verhoeff,
} from "./check-digits.ts";

/** A number as it is written. */
export type Candidate = {
  digits: string;
  /** The digits with one separator between groups: a space, hyphen or dot. */
  shape: string;
  /** Begins with a plus sign. */
  plus: boolean;
  /** Begins with a part in parentheses. */
  area: boolean;
  /** The text before it. */
  before: string;
  /** The end of that text, after its last digit; empty where it is made of signs alone. */
  words: string;
};

const idWord =
  /(?<!\p{L})(?:id|i\.d\.?|ssn|itin|social.?security|national|identity|identification|passport|teudat|zehut|t\.?z|aadhaar|uid|dni|nie|nif|cpf|pesel|bsn|sin|tax|tin|steuer\p{L}*|personnummer|nir|s[eé]curit[eé]|kimlik|ב?ת\.?["״'׳]?\.?ז\.?|זהות|זיהוי|דרכון|ביטוח לאומי)(?!\p{L})\D{0,20}$/iu;
const strictIdWord =
  /(?:(?<!\p{L})ssn|social.?security|passport|teudat|zehut|aadhaar|ת\.?["״'׳]ז|ת\.ז|תעודת זהות|מספר זהות|דרכון)\D{0,20}$/iu;
const phoneWord =
  /(?:(?<!\p{L})(?:(?:tel|cell|call|fax|sms|dial|mobile|msisdn|gsm)(?!\p{L})|(?:tele)?phone|whats.?app|viber)|טל['׳]|טלפון|נייד|סלולר|פלאפון|וואטסאפ|ווטסאפ|חייג|התקשר|פקס)\D{0,20}$/iu;
const orderWord =
  /(?:(?<!\p{L})(?:order|invoice|ticket|sku|ref|item|part|model|no|nr|number|case|build|article|product|isbn|issn|doi|price|total|amount|duration|elapsed|time|timestamp|ms|count|size|bytes|width|height)|הזמנה|חשבונית|פריט|מק["״]ט|קבלה|דגם|פנייה|מוצר|₪|\$|€)[.:#_=\s]*(?:[a-z]{1,5}-?|\d{2,4}-)?$/iu;
/** The number of an order, a price, a size: digits without separators after a word that says so. */
const ordered = ({ before, digits, shape }: Candidate): boolean =>
  digits === shape && orderWord.test(before);

const cardPrefix =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720|20[0-4])\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|(?:5[06-8]|6\d)\d{14,17}|(?:5018|5020|5038|5893|6304|6759|676[1-3])\d{8,11})$/;

const birthDayFirst = (digits: string): boolean => isDay(digits.slice(2, 4), digits.slice(0, 2));
const birthYearFirst = (digits: string): boolean => isDay(digits.slice(2, 4), digits.slice(4, 6));

/** The mark, how few and how many digits, and the test of a number that has as many. */
type Rule = readonly [
  string,
  number,
  number,
  (candidate: Candidate, digits: string, shape: string) => boolean,
];

/**
 * What a number is, by its first rule. Where a check digit alone would accept one in ten plain
 * numbers, the words before the number (of orders, of identity) decide as well.
 */
const rules: readonly Rule[] = [
  [
    "[card]",
    12,
    19,
    (_c, digits, shape) =>
      /^\d+$|^\d{4}(?:.\d{1,7}){2,4}$/.test(shape) && cardPrefix.test(digits) && luhn(digits),
  ],
  // Israel: nine digits, the last one of which is often apart.
  [
    "[id]",
    9,
    9,
    (c, digits, shape) =>
      /^\d{9}$|^\d{8}-\d$|^\d-\d{7}-\d$|^\d-\d{4}-\d{4}$/.test(shape) &&
      luhn(digits) &&
      !ordered(c),
  ],
  // United States: area, group and serial (SSA POMS RM 10201.030); 9xx are taxpayers' numbers.
  [
    "[id]",
    9,
    9,
    (_c, _d, shape) => /^(?!000|666)\d{3}([ -])(?!00)\d\d\1(?!0000)\d{4}$/.test(shape),
  ],
  // Brazil, Poland, Türkiye.
  [
    "[id]",
    11,
    11,
    (c, digits, shape) =>
      /^\d{3}[.]\d{3}[.]\d{3}-\d\d$|^\d{11}$|^\d{9}-\d\d$/.test(shape) &&
      cpf(digits) &&
      !ordered(c),
  ],
  [
    "[id]",
    11,
    11,
    (c, digits, shape) => /^\d{11}$/.test(shape) && (pesel(digits) || tckn(digits)) && !ordered(c),
  ],
  // Sweden (not ten digits that are seconds since 1970), Denmark, Korea.
  [
    "[id]",
    10,
    12,
    (c, digits, shape) =>
      /^\d{6}-\d{4}$|^\d{8}-\d{4}$|^(?!1[4-9])\d{10}$|^(?:19|20)\d{10}$/.test(shape) &&
      personnummer(digits) &&
      !ordered(c),
  ],
  ["[id]", 10, 10, (_c, digits, shape) => /^\d{6}-\d{4}$/.test(shape) && birthDayFirst(digits)],
  [
    "[id]",
    13,
    13,
    (_c, digits, shape) => /^\d{6}-[1-8]\d{6}$/.test(shape) && birthYearFirst(digits),
  ],
  // India.
  [
    "[id]",
    12,
    12,
    (c, digits, shape) =>
      /^[2-9]\d{11}$/.test(digits) &&
      verhoeff(digits) &&
      (/^\d{4}([ -])\d{4}\1\d{4}$/.test(shape) || idWord.test(c.words)),
  ],
  // France, South Africa, Canada.
  ["[id]", 15, 15, (_c, digits) => /^[12]\d{14}$/.test(digits) && nir(digits)],
  [
    "[id]",
    13,
    13,
    (_c, digits, shape) =>
      /^\d{13}$|^\d{6}[ -]\d{4}[ -]\d{3}$|^\d{6} \d{4} \d\d \d$/.test(shape) &&
      southAfrican(digits),
  ],
  ["[id]", 9, 9, (_c, digits, shape) => /^\d{3}-\d{3}-\d{3}$/.test(shape) && luhn(digits)],
  [
    "[id]",
    9,
    12,
    (c, digits) =>
      /^\d{9,12}$/.test(digits) && idWord.test(c.words) && (digits.length !== 9 || luhn(digits)),
  ],
  [
    "[id]",
    7,
    12,
    (c, digits) => c.words !== "" && /^\d{7,12}$/.test(digits) && strictIdWord.test(c.words),
  ],
  // Telephone numbers: international, Israel, North America, then forms of many countries.
  [
    "[phone]",
    8,
    15,
    (c, digits) => c.plus && /^\d{8,15}$/.test(digits) && !digits.endsWith("000000"),
  ],
  [
    "[phone]",
    11,
    16,
    (_c, digits, shape) => /^00[1-9]\d{8,13}$/.test(digits) && shape.startsWith("00"),
  ],
  [
    "[phone]",
    9,
    12,
    (c, digits, shape) =>
      /^(?:972|0)(?:5\d|7[2-9]|[23489])\d{7}$/.test(digits) &&
      !/^0[ .-]|^\d{5}-\d{4}$|^\d+\.\d\d$/.test(shape) &&
      !ordered(c),
  ],
  [
    "[phone]",
    10,
    10,
    (_c, _d, shape) => /^1[ -](?:700|800|599|801|809)[ -]\d{3}[ -]\d{3}$/.test(shape),
  ],
  [
    "[phone]",
    10,
    11,
    (_c, _d, shape) => /^(?:1[ .-])?[2-9]\d\d([ .-])\d{3}[ .-]\d{4}$/.test(shape),
  ],
  [
    "[phone]",
    8,
    13,
    (c, digits, shape) => c.area && /^\d{8,13}$/.test(digits) && !/^(?:19|20)\d\d\D/.test(shape),
  ],
  [
    "[phone]",
    9,
    13,
    (c, digits, shape) =>
      /^0[1-9]\d{7,11}$/.test(digits) &&
      /^0\d{9,10}$|^0\d{1,5}(?:[ .-]\d{1,8}){1,4}$/.test(shape) &&
      !/^0[ .-]|^\d{5}-\d{4}$|^\d+\.\d\d$/.test(shape) &&
      !ordered(c),
  ],
  [
    "[phone]",
    8,
    8,
    (_c, digits, shape) => /^0\d{7}$/.test(digits) && /^0\d{1,3}[ -]\d{3,}(?: \d\d)?$/.test(shape),
  ],
  [
    "[phone]",
    9,
    11,
    (_c, _d, shape) =>
      /^[6-9]\d\d([ -])\d\d\1\d\d\1\d\d$|^[6-9]\d{4}[ -]\d{5}$|^\d\d 9\d{4}-\d{4}$|^\d\d([ -])\d{3}\2\d\d\2\d\d$/.test(
        shape,
      ),
  ],
  [
    "[phone]",
    9,
    11,
    (_c, _d, shape) =>
      /^(?:[78][ -])?9\d\d[ -]\d{3}[ -]\d\d[ -]\d\d$|^[6-9]\d\d-\d{3}-\d{3}$|^1[3-9]\d[ -]\d{4}[ -]\d{4}$/.test(
        shape,
      ),
  ],
  ["[phone]", 11, 11, (c, _d, shape) => /^1[3-9]\d{9}$/.test(shape) && !ordered(c)],
  ["[phone]", 7, 15, (c, digits) => /^\d{7,15}$/.test(digits) && phoneWord.test(c.words)],
];

/** By the number of digits: most rules apply to few. */
const rulesOfSize = Array.from({ length: 20 }, (_none, size) =>
  rules.filter(([, min, max]) => size >= min && size <= max),
);

/** The mark of a card, identity number or telephone number of at most 19 digits. */
export function numberMark(candidate: Candidate): string | undefined {
  const { digits, shape } = candidate;
  const possible = rulesOfSize[digits.length] ?? [];
  return possible.find(([, , , accepts]) => accepts(candidate, digits, shape))?.[0];
}
