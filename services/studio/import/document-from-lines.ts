import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { readCvDocument } from "@pro-talent/schemas/studio/migrate";

import { wordsOf } from "../words.ts";
import { openFindings } from "./findings.ts";
import type { Imported } from "./json-resume.ts";
import { type Line, textOf } from "./lines.ts";
import { profileFrom } from "./profile.ts";
import { sectionEntries, type TitledLines } from "./sections.ts";
import { kindOfTitle } from "./titles.ts";

const titleCharsMax = 60;

/** The rank of most lines that are a usual title, so that others like them are known to be titles. */
function titleRank(lines: readonly Line[]): number | undefined {
  const counts = new Map<number, number>();
  for (const line of lines)
    if (isTitleByWords(line)) counts.set(line.rank, (counts.get(line.rank) ?? 0) + 1);
  return [...counts].toSorted(
    ([rank, count], [otherRank, other]) => other - count || otherRank - rank,
  )[0]?.[0];
}

function isTitleByWords(line: Line): boolean {
  return !line.isBullet && line.parts.length === 1 && kindOfTitle(textOf(line)) !== undefined;
}

/** Lines that look like titles are titles where the usual ones are headings, so not where they are merely bold. */
function isTitle(line: Line, index: number, rank: number | undefined): boolean {
  if (rank === undefined || line.rank < rank) return false;
  if (isTitleByWords(line)) return true;
  return (
    index > 0 &&
    rank >= 1 &&
    line.rank === rank &&
    !line.isBullet &&
    line.parts.length === 1 &&
    textOf(line).length <= titleCharsMax
  );
}

type Divided = { readonly head: readonly Line[]; readonly sections: readonly TitledLines[] };

/** Divides the lines at the titles of sections; what stands above the first is about the person. */
function divided(lines: readonly Line[], language: Locale): Divided {
  const rank = titleRank(lines);
  const head: Line[] = [];
  const sections: { kind: TitledLines["kind"]; title: string; lines: Line[] }[] = [];
  let into = head;
  for (const [index, line] of lines.entries()) {
    if (!isTitle(line, index, rank)) {
      into.push(line);
      continue;
    }
    const text = textOf(line).replace(/\s*:$/, "");
    const kind = kindOfTitle(text) ?? "custom";
    if (kind === "contact") {
      into = head;
      continue;
    }
    const isUsual =
      kind !== "custom" && wordsOf[language].titles[kind].toLowerCase() === text.toLowerCase();
    const section = { kind, title: isUsual ? "" : text, lines: [] };
    sections.push(section);
    into = section.lines;
  }
  return { head, sections };
}

/** The language of most characters, where there are any. */
export function languageOf(lines: readonly Line[], otherwise: Locale): Locale {
  const text = lines.map(textOf).join("");
  const hebrew = text.match(/[\u05D0-\u05EA]/g)?.length ?? 0;
  const latin = text.match(/[A-Za-z]/g)?.length ?? 0;
  return hebrew + latin === 0 ? otherwise : hebrew > latin / 2 ? "he" : "en";
}

/**
 * A document from the lines of a page or a word processor's file: by their rank and by usual titles in English
 * and Hebrew they are divided into sections and entries. What is uncertain or has no place is a finding.
 * @param otherwise the language where the text shows none
 */
export function documentFromLines(all: readonly Line[], otherwise: Locale): Imported {
  const { findings, ...read } = openFindings();
  const language = languageOf(all, otherwise);
  const { head, sections } = divided(all, language);
  const { profile, prose } = profileFrom(head, read);
  const about: TitledLines[] =
    prose.length === 0 ? [] : [{ kind: "summary", title: "", lines: prose }];
  const stated = [...about, ...sections];
  for (const { title, lines } of stated.slice(cvLimits.sectionsMax))
    read.dropped(lines[0]?.path ?? title, "too-many", title);
  const document = readCvDocument({
    version: 1,
    language,
    page: {},
    profile,
    sections: stated
      .slice(0, cvLimits.sectionsMax)
      .map(({ kind, title, lines }, index) => ({
        id: `s${index}`,
        kind,
        title: read.line(title, `sections.s${index}.title`),
        entries: sectionEntries(kind, { read, id: `s${index}` }, lines),
      }))
      .filter(({ entries }) => entries.length > 0),
  });
  return { document, findings: findings() };
}
