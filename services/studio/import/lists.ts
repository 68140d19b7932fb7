import { type Line, textOf, textOfPart } from "./lines.ts";

/** A group of skills, or a language with its fluency as the only item. */
export type Group = { readonly name: string; readonly items: readonly string[] };

/** Commas, semicolons and dots between items, outside of parentheses. */
const between = /\s*[,;|•·]\s*(?![^()]*\))/u;
const itemsOf = (text: string): string[] =>
  text
    .split(between)
    .map((item) => item.trim().replace(/[.]$/, (end) => (item.includes(" ") ? "" : end)))
    .filter((item) => item !== "");

/** Of `Tools: A, B`, of a bold name before its items, or of two cells. */
function groupOf({ parts }: Line): Group {
  const [first = [], ...others] = parts;
  const rest = others.map(textOfPart).join(", ");
  const end = first.findIndex(({ bold, text }) => !bold && text.trim() !== "");
  const isNamed =
    end > 0 && first.slice(0, end).every(({ bold, text }) => bold || text.trim() === "");
  const named = isNamed ? textOfPart(first.slice(0, end)) : "";
  const text = textOfPart(isNamed ? first.slice(end) : first);
  if (named !== "")
    return {
      name: named.replace(/\s*[:\u2013-]$/u, ""),
      items: itemsOf(`${text}, ${rest}`.replace(/^\s*[:\u2013-]\s*/u, "")),
    };
  const [, name = "", items = ""] = /^([^:,]{1,60}):\s*(.*)$/u.exec(text) ?? [];
  if (name !== "") return { name, items: itemsOf(`${items}, ${rest}`) };
  if (others.length === 1 && !between.test(text)) return { name: text, items: itemsOf(rest) };
  return { name: "", items: itemsOf([text, rest].join(", ")) };
}

/** Groups of skills. A list of single skills is one group; a line without a comma above one with commas names it. */
export function skillsIn(lines: readonly Line[]): Group[] {
  const groups: { name: string; items: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const { name, items } = groupOf(line);
    const last = groups.at(-1);
    const next = lines[index + 1];
    const isName =
      name === "" &&
      items.length === 1 &&
      !line.isBullet &&
      next !== undefined &&
      between.test(textOf(next));
    if (isName) groups.push({ name: items[0] ?? "", items: [] });
    else if (name === "" && last !== undefined && (last.items.length === 0 || last.name === ""))
      last.items.push(...items);
    else groups.push({ name, items: [...items] });
  }
  return groups;
}

const codes =
  "af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ku ky lb lo lt lv mk ml mn mr ms mt my nb ne nl no pa pl ps pt ro ru si sk sl so sq sr sv sw ta te tg th ti tk tl tr uk ur uz vi yi zh zu";
const names = ["en", "he"].flatMap((language) => {
  const display = new Intl.DisplayNames([language], { type: "language" });
  return codes.split(" ").map((code) => (display.of(code) ?? code).toLowerCase());
});
const known = [...names, "mandarin", "farsi", "אמהרית", "יידיש"].toSorted(
  (one, other) => other.length - one.length,
);

function languageAtStart(text: string): string | undefined {
  const lower = text.toLowerCase();
  const name = known.find(
    (one) => lower.startsWith(one) && !/^\p{L}/u.test(lower.slice(one.length)),
  );
  return name === undefined ? undefined : text.slice(0, name.length);
}

/** Without what divides it from a name, and without parentheses around the whole. */
function fluencyOf(text: string): string {
  const inner = text.replaceAll(/^[\s:\u2013\u2014-]+|\s+$/gu, "");
  return /^\(.*\)$/u.test(inner) ? inner.slice(1, -1).trim() : inner;
}

/** Languages, with fluency in parentheses, behind a dash, or in the next cell. */
export function languagesIn(lines: readonly Line[]): Group[] {
  const found: { name: string; items: string[] }[] = [];
  for (const text of lines
    .flatMap(({ parts }) => parts.map(textOfPart))
    .flatMap((part) => itemsOf(part))) {
    const last = found.at(-1);
    const name = languageAtStart(text);
    if (name === undefined && last?.items.length === 0) {
      last.items.push(fluencyOf(text));
      continue;
    }
    const [, first = text, rest = ""] = /^(.*?)\s*([:(\u2013\u2014].*)$/u.exec(text) ?? [];
    const fluency = fluencyOf(name === undefined ? rest : text.slice(name.length));
    found.push({ name: name ?? first, items: fluency === "" ? [] : [fluency] });
  }
  return found;
}
