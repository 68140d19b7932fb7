import { alphabets, type Chance } from "./chance.ts";

/** Makes one value of a kind; check digits are computed here, apart from the code under test. */
export type MakeValue = (chance: Chance) => string;

const firstNames =
  "noa,david,maya,yossi,sarah,james,olga,ahmed,chloe,lukas,ines,marco,wei,priya,anna,tomer,ruth,daniel,fatima,peter".split(
    ",",
  );
const lastNames =
  "cohen,levi,smith,johnson,garcia,mueller,rossi,dubois,kowalski,svensson,silva,patel,chen,ivanova,haddad,oconnor,mizrahi,peretz,katz,friedman".split(
    ",",
  );
const hosts =
  "gmail.com,walla.co.il,example.org,outlook.com,yahoo.co.uk,mail.example.museum,company.io,uni.ac.il,web.de,proton.me,post.tau.ac.il".split(
    ",",
  );

const group = (digits: string, sizes: readonly number[], separator: string): string => {
  let at = 0;
  return sizes.map((size) => digits.slice(at, (at += size))).join(separator);
};
const fill = (chance: Chance, pattern: string): string =>
  pattern.replaceAll("#", () => chance.digits(1));

function email(chance: Chance): string {
  const [first, last] = [chance.pick(firstNames), chance.pick(lastNames)];
  const local = chance.pick([
    `${first}.${last}`,
    `${first}${chance.below(99)}`,
    `${first}_${last}`,
    `${first}+jobs`,
    `${first.charAt(0)}${last}`,
  ]);
  return `${local}@${chance.pick(hosts)}`;
}
const fullWidth = (text: string): string =>
  text.replaceAll(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));
const percent = (text: string): string =>
  Array.from(text, (character) => `%${character.charCodeAt(0).toString(16)}`).join("");
const arabic = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));

export const emails: Record<string, MakeValue> = {
  plain: email,
  encoded: (chance) => encodeURIComponent(email(chance)),
  "encoded twice": (chance) => encodeURIComponent(encodeURIComponent(email(chance))),
  "encoded whole": (chance) => percent(email(chance)),
  "full-width": (chance) => fullWidth(email(chance)),
  quoted: (chance) =>
    `"${chance.pick(firstNames)} ${chance.pick(lastNames)}"@${chance.pick(hosts)}`,
  entity: (chance) => email(chance).replace("@", chance.pick(["&#64;", "&#x40;", "&commat;"])),
  invisible: (chance) => email(chance).replace("@", "\u200b@\u200e"),
  "other script": (chance) =>
    `${chance.pick(["דנה", "иван", "jörg", "李"])}@${chance.pick(["דוגמה.קום", "пример.рф", "müller.de", "例子.中国"])}`,
  marked: (chance) =>
    email(chance)
      .replace("@", chance.pick([" (at) ", "[at]", " [at] "]))
      .replaceAll(".", chance.pick([".", " (dot) ", "[dot]"])),
  "in words": (chance) => `${chance.pick(firstNames)} at ${chance.pick(lastNames)} dot com`,
};

const dialled: readonly string[] = [
  "+972-5#-###-####",
  "+972 5# ### ####",
  "+9725########",
  "05#-#######",
  "05# ### ####",
  "05########",
  "05#-###-##-##",
  "03-#######",
  "09 ### ####",
  "077-#######",
  "(03) ### ####",
  "972-5#-#######",
  "00972 5# #######",
  "+1 (2##) 555-####",
  "+1-2##-555-####",
  "(4##) 555-####",
  "4##-555-####",
  "4##.555.####",
  "1-4##-555-####",
  "+44 20 #### ####",
  "+44 7### ######",
  "020 7### ####",
  "07### ######",
  "+33 6 ## ## ## ##",
  "06 ## ## ## ##",
  "+49 30 ########",
  "030 ########",
  "0171 #######",
  "+34 6## ### ###",
  "6## ## ## ##",
  "+39 3## ### ####",
  "+7 (9##) ###-##-##",
  "8 (9##) ###-##-##",
  "+91 9#### #####",
  "9#### #####",
  "+55 11 9####-####",
  "(11) 9####-####",
  "+86 13# #### ####",
  "+61 4## ### ###",
  "04## ### ###",
  "+48 5## ### ###",
  "+46 70 ### ## ##",
];

export const phones: Record<string, MakeValue> = {
  written: (chance) => fill(chance, chance.pick(dialled)),
  "Arabic digits": (chance) => arabic(fill(chance, "05#-###-####")),
  "full-width": (chance) => fullWidth(fill(chance, "05#-###-####")),
  "after a word": (chance) =>
    `${chance.pick(["Tel.", "Phone:", "call", "טלפון", "נייד:", "WhatsApp"])} ${fill(chance, chance.pick(["5#######", "2######", "64########", "#### ####"]))}`,
};

const luhnDigit = (digits: string): number => {
  let sum = 0;
  for (const [at, digit] of Array.from(digits).reverse().entries())
    sum += at % 2 === 0 ? ((2 * Number(digit)) % 10) + Number(Number(digit) > 4) : Number(digit);
  return (10 - (sum % 10)) % 10;
};
const withLuhn = (digits: string): string => digits + String(luhnDigit(digits));
const cardStarts: readonly (readonly [string, number])[] = [
  ["4", 16],
  ["4580", 16],
  ["51", 16],
  ["2221", 16],
  ["34", 15],
  ["37", 15],
  ["36", 14],
  ["6011", 16],
  ["3528", 16],
  ["62", 16],
];

export const cards: Record<string, MakeValue> = Object.fromEntries(
  ["", " ", "-"].map((separator): [string, MakeValue] => [
    separator === "" ? "plain" : `with "${separator}"`,
    (chance) => {
      const [start, length] = chance.pick(cardStarts);
      const digits = withLuhn(start + chance.digits(length - start.length - 1));
      return separator === ""
        ? digits
        : group(
            digits,
            length === 15 ? [4, 6, 5] : length === 14 ? [4, 6, 4] : [4, 4, 4, 4],
            separator,
          );
    },
  ]),
);

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const two = (n: number): string => String(n).padStart(2, "0");
const birth = (chance: Chance): string =>
  two(chance.below(100)) + two(1 + chance.below(12)) + two(1 + chance.below(28));
const mod97 = (text: string): bigint =>
  BigInt(text.replaceAll(/[A-Z]/g, (capital) => String(capital.charCodeAt(0) - 55))) % 97n;

function iban(chance: Chance): string {
  const [country, length] = chance.pick([
    ["IL", 23],
    ["DE", 22],
    ["GB", 22],
    ["FR", 27],
    ["ES", 24],
    ["NL", 18],
    ["PL", 28],
    ["NO", 15],
  ] as const);
  const body =
    (country === "GB" || country === "NL" ? chance.text(4, capitals) : "") + chance.digits(40);
  const account = body.slice(0, length - 4);
  return country + two(98 - Number(mod97(`${account}${country}00`))) + account;
}

export const ibans: Record<string, MakeValue> = {
  plain: iban,
  grouped: (chance) => iban(chance).replaceAll(/.{4}(?=.)/g, "$& "),
  small: (chance) => iban(chance).toLowerCase(),
};

const sumOf = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * Number(digits.charAt(at)), 0);
const cpf = (chance: Chance): string => {
  let digits = chance.digits(9);
  for (const from of [10, 11])
    digits += String(
      ((sumOf(
        digits,
        Array.from({ length: from - 1 }, (_none, at) => from - at),
      ) *
        10) %
        11) %
        10,
    );
  return digits;
};
const multiply =
  "0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210".split(
    "",
  );
const permute =
  "0123456789 1576283094 5803796142 8916043527 9453126870 4286573901 2793806415 7046913258".split(
    " ",
  );
function aadhaar(chance: Chance): string {
  const body = String(2 + chance.below(8)) + chance.digits(10);
  for (let check = 0; ; check += 1) {
    let state = 0;
    for (const [at, digit] of Array.from(`${body}${check}`).reverse().entries())
      state = Number(multiply[10 * state + Number(permute[at % 8]?.charAt(Number(digit)))]);
    if (state === 0) return body + String(check);
  }
}
function dni(chance: Chance): string {
  const number = chance.digits(8);
  return number + "TRWAGMYFPDXBNJZSQVHLCKE".charAt(Number(number) % 23);
}
function fiscal(chance: Chance): string {
  const body =
    chance.text(6, capitals) +
    two(chance.below(100)) +
    chance.pick(Array.from("ABCDEHLMPRST")) +
    two(1 + chance.below(28)) +
    chance.text(1, "ABCDEFGHL") +
    chance.digits(3);
  const odd = [
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
  ];
  const values = Array.from(body, (character) =>
    /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65,
  );
  return (
    body +
    capitals.charAt(
      values.reduce((sum, value, at) => sum + (at % 2 === 0 ? (odd[value] ?? 0) : value), 0) % 26,
    )
  );
}

export const identities: Record<string, MakeValue> = {
  Israel: (chance) => withLuhn(chance.digits(8)),
  "Israel, apart": (chance) => withLuhn(chance.digits(8)).replace(/.$/, "-$&"),
  "United States": (chance) =>
    `${100 + chance.below(500)}-${10 + chance.below(89)}-${1000 + chance.below(8999)}`,
  Spain: dni,
  Italy: fiscal,
  France: (chance) => {
    const body = `${1 + chance.below(2)}${birth(chance).slice(0, 4)}${two(1 + chance.below(95))}${chance.digits(6)}`;
    return body + two(97 - Number(BigInt(body) % 97n));
  },
  Brazil: (chance) => cpf(chance).replace(/^(...)(...)(...)/, "$1.$2.$3-"),
  "Brazil, plain": cpf,
  Sweden: (chance) => withLuhn(birth(chance) + chance.digits(3)).replace(/....$/, "-$&"),
  Poland: (chance) => {
    const body = birth(chance) + chance.digits(4);
    return body + String((10 - (sumOf(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10);
  },
  India: (chance) => group(aadhaar(chance), [4, 4, 4], " "),
  "United Kingdom": (chance) =>
    `${chance.text(1, "ABCEGHJLMPRSTWXYZ")}${chance.text(1, "ACEHJLMPRSWXY")} ${group(chance.digits(6), [2, 2, 2], " ")} ${chance.text(1, "ABCD")}`,
};

const octets = (chance: Chance): string =>
  Array.from({ length: 4 }, () => 11 + chance.below(200)).join(".");
export const machineAddresses: Record<string, MakeValue> = {
  IPv4: octets,
  "IPv4, encoded": (chance) => octets(chance).replaceAll(".", "%2E"),
  IPv6: (chance) =>
    `2a0d:6fc0:${Array.from({ length: 6 }, () => (1 + chance.below(65_534)).toString(16)).join(":")}`,
  "IPv6, short": (chance) => `2001:db8::${(1 + chance.below(65_534)).toString(16)}`,
  mapped: (chance) => `::ffff:${octets(chance)}`,
};

const { base36, base62, base64url, crockford, hex } = alphabets;
const base64Json = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");
export const secretValues: Record<string, MakeValue> = {
  JWT: (chance) =>
    `${base64Json({ alg: "HS256", typ: "JWT" })}.${base64Json({ sub: chance.digits(10) })}.${chance.text(43, base64url)}`,
  AWS: (chance) => `AKIA${chance.text(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`,
  GitHub: (chance) => `ghp_${chance.text(36, base62)}`,
  Stripe: (chance) => `sk_${chance.pick(["live", "test"])}_${chance.text(24, base62)}`,
  Slack: (chance) => `xoxb-${chance.digits(12)}-${chance.digits(12)}-${chance.text(24, base62)}`,
  Google: (chance) => `AIza${chance.text(35, base64url)}`,
  bearer: (chance) => `Bearer ${chance.text(24, base62)}`,
  UUID: (chance) => group(chance.text(32, hex), [8, 4, 4, 4, 12], "-"),
  "hex 32": (chance) => chance.text(32, hex),
  "base64 24": (chance) => Buffer.from(chance.text(24, base62)).toString("base64"),
  "nanoid 21": (chance) => chance.text(21, base64url),
  ULID: (chance) => `01${chance.text(24, crockford)}`,
  cuid: (chance) => `c${chance.text(24, base36)}`,
  "in an address": (chance) => `https://${chance.pick(firstNames)}:${chance.text(10, base62)}@`,
  parameter: (chance) =>
    `${chance.pick(["token", "access_token", "api_key", "password", "sessionid", "reset_token"])}=${chance.text(8, base62)}`,
};
