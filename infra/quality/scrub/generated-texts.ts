import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { z } from "zod";

import { type Chance, createChance } from "./chance.ts";
import {
  cards,
  emails,
  ibans,
  identities,
  machineAddresses,
  type MakeValue,
  phones,
  secretValues,
} from "./personal-values.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The product's own texts in both languages: titles, buttons, paragraphs. */
export function productTexts(): string[] {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  for (const language of ["en", "he"]) {
    const folder = `${root}web/i18n/${language}`;
    for (const file of readdirSync(folder))
      collect(JSON.parse(readFileSync(`${folder}/${file}`, "utf8")));
  }
  // Examples of addresses and telephone numbers are true finds.
  return texts.filter((text) => !/@|555-0/.test(text));
}

const Lockfile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional() })),
});

/** Names of real packages with their versions: short and long words, digits, hyphens. */
export function packageVersions(): string[] {
  const { packages } = Lockfile.parse(JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")));
  return Object.entries(packages).map(
    ([path, { version = "" }]) => `${path.replace(/^.*node_modules\//, "")} ${version}`,
  );
}

export const kinds: Record<string, Record<string, MakeValue>> = {
  "e-mail": emails,
  telephone: phones,
  identity: identities,
  card: cards,
  IBAN: ibans,
  address: machineAddresses,
  secret: secretValues,
};

/** Where a visitor's data turns up: a title, a button, a query string, an element, JSON within JSON. */
const carriers: readonly ((value: string, chance: Chance, words: string) => string)[] = [
  (value) => value,
  (value, _chance, words) => `${words} ${value}`,
  (value, _chance, words) => `${value} - ${words}`,
  (value, chance) =>
    `${chance.pick(["Welcome", "Order of", "Profile:", "Call", "ברוכים הבאים", "הפרופיל של", "שליחה אל"])} ${value} (${chance.pick(["2026", "new", "חדש"])})`,
  (value) => `utm_source=mail&q=${value}&page=2`,
  (value, chance) => `${chance.pick(["row", "user", "לקוח"])}_${value}`,
  (value, _chance, words) => JSON.stringify({ text: words, value }),
];

export type Positive = { kind: string; form: string; value: string; text: string };

/** As many texts of each form of each kind, each with one value. */
export function positives(seed: number, perForm: number): Positive[] {
  const chance = createChance(seed);
  const words = productTexts()
    .map((text) => text.slice(0, 60))
    .filter((text) => !/[\d"{]/.test(text));
  return Object.entries(kinds).flatMap(([kind, forms]) =>
    Object.entries(forms).flatMap(([form, make]) =>
      Array.from({ length: perForm }, () => {
        const value = make(chance);
        return {
          kind,
          form,
          value,
          text: chance.pick(carriers)(value, chance, chance.pick(words)),
        };
      }),
    ),
  );
}

const languages = ["en", "he", "de", "fr", "ru", "ar", "ja"] as const;
const styles = ["short", "medium", "long", "full"] as const;
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 60);

type MakeText = (chance: Chance, texts: readonly string[]) => string;

const day = (chance: Chance): Date =>
  new Date(
    Date.UTC(
      1990 + chance.below(40),
      chance.below(12),
      1 + chance.below(28),
      chance.below(24),
      chance.below(60),
      chance.below(60),
    ),
  );
const price = (chance: Chance): number =>
  chance.below(10 ** (1 + chance.below(7))) + chance.below(100) / 100;
const version = (chance: Chance): string =>
  Array.from({ length: 2 + chance.below(3) }, () => chance.below(chance.pick([3, 20, 200]))).join(
    ".",
  );

/** Texts of pages without personal data. */
export const plainKinds: Record<string, MakeText> = {
  "product texts": (chance, texts) => chance.pick(texts),
  dates: (chance) =>
    `${chance.pick(["Published", "Updated", "פורסם", "עודכן"])} ${day(chance).toLocaleString(chance.pick(languages), { dateStyle: chance.pick(styles), timeZone: "UTC" })}`,
  times: (chance) =>
    chance.pick([
      day(chance).toISOString(),
      day(chance).toISOString().slice(0, 10),
      day(chance).toUTCString(),
      `${9 + chance.below(3)}:30-17:00`,
      String(day(chance).getTime()),
      `09.30 - 10.${10 + chance.below(40)}`,
    ]),
  prices: (chance) =>
    price(chance).toLocaleString(chance.pick(languages), {
      style: "currency",
      currency: chance.pick(["USD", "ILS", "EUR", "GBP", "JPY"]),
    }),
  numbers: (chance) =>
    `${chance.below(10 ** (1 + chance.below(9))).toLocaleString(chance.pick(languages))} ${chance.pick(["views", "users", "צפיות", "%", "km", "m²"])}`,
  versions: (chance) =>
    `${chance.pick(["v", "Version ", "Release ", "Node.js ", "Chrome/", "גרסה "])}${version(chance)}`,
  orders: (chance) =>
    `${chance.pick(["Order", "Order no.", "Invoice #", "Ticket", "הזמנה", "חשבונית", "SKU", "Ref"])} ${chance.pick(["", "INV-", "2026-", "A"])}${chance.digits(4 + chance.below(6))}`,
  years: (chance) =>
    `${chance.pick(["Season", "Report", "דוח", "Top 100"])} ${1950 + chance.below(70)}-${2020 + chance.below(20)} ${chance.pick(["", "Q3", "H1", "24/7"])}`,
  slugs: (chance, texts) =>
    `${chance.pick(["", "2024-05-12-", "top-10-", "2026/"])}${slugOf(chance.pick(texts))}`,
  campaigns: (chance, texts) =>
    `${slugOf(chance.pick(texts)).replaceAll("-", "_").slice(0, 24)}_${chance.pick(["2026q1", "300x250", "v2", "728x90", "sept24", "b"])}`,
  "element names": (chance) =>
    chance.pick([
      "btn btn-primary btn-lg",
      "nav__item--active",
      "css-1q2w3e4",
      "MuiButton-root",
      "h-[calc(100vh-4rem)]",
      "col-md-6 mt-4",
      "radix-:r1:",
      "faq-item-12",
      "hero_cta_v3",
      "svg#icon-24",
      "tab-2-panel-10",
      "grid-cols-12",
    ]) + chance.pick(["", " hidden", ` w-${chance.below(96)}`]),
  versioned: (chance, texts) => chance.pick(texts),
};

const real: Readonly<Record<string, () => string[]>> = {
  "product texts": productTexts,
  slugs: productTexts,
  campaigns: productTexts,
  versioned: packageVersions,
};

/** As many texts of each kind that hold no personal data and no secret. */
export function negatives(seed: number, perKind: number): { kind: string; text: string }[] {
  const chance = createChance(seed);
  return Object.entries(plainKinds).flatMap(([kind, make]) => {
    const texts = real[kind]?.() ?? [];
    return Array.from({ length: perKind }, () => ({ kind, text: make(chance, texts) }));
  });
}
