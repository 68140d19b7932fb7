import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { escapeHtml, escapeLines, linkTarget, visibleLine, visibleText } from "./text-safety.ts";

/**
 * The product's colours in sRGB: mail programs do not know the colour functions that
 * web/styles/tokens.css is written in. The values are computed from there.
 */
export const light = {
  canvas: "#fcfaf6",
  sunk: "#f2f0e9",
  ink: "#181e2a",
  muted: "#4a505c",
  hairline: "#dcd9d0",
} as const;

export const serif = "'Frank Ruhl Libre',Georgia,'Times New Roman',serif";
export const sans = "Heebo,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";

export type MailBlock =
  | { readonly kind: "paragraph"; readonly text: string }
  /** One thing to do: a button, with its address in full for programs that show no buttons. */
  | ({ readonly kind: "action" } & Link)
  | { readonly kind: "facts"; readonly facts: readonly Fact[] }
  /** What a person wrote, marked as such. */
  | { readonly kind: "quote"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  /** Few columns of short values; those of the last ones are numbers in most tables. */
  | {
      readonly kind: "table";
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  /** Made from our own Markdown only: it is not escaped. */
  | { readonly kind: "html"; readonly html: string; readonly text: string }
  /** A remark, with a link behind it if there is one. */
  | { readonly kind: "small"; readonly text: string; readonly link?: Link };
type Link = { readonly label: string; readonly url: string };
type Fact = { readonly term: string; readonly value: string };

type Rendered = { html: string; text: string };

/** A block as HTML with its styles in attributes, since mail programs drop style sheets, and as text. */
export function renderBlock(block: MailBlock, language: Locale): Rendered {
  switch (block.kind) {
    case "paragraph":
      return paragraph(block.text);
    case "action":
      return action(block);
    case "facts":
      return facts(block.facts);
    case "quote":
      return quote(block.text, language);
    case "list":
      return list(block.items, language);
    case "table":
      return dataTable(block.columns, block.rows, language);
    case "html":
      return trustedHtml(block.html, block.text, language);
    case "small":
      return small(block.text, block.link);
  }
}

const running = `font-size:16px;line-height:1.6;color:${light.ink}`;
const table = `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"`;

/** Where lines begin, and the space that the marks of a list need there. */
const sideOf = (language: Locale): string => (language === "he" ? "right" : "left");
const indentOf = (language: Locale): string => (language === "he" ? "0 22px 0 0" : "0 0 0 22px");

function paragraph(text: string): Rendered {
  return {
    html: `<p class="ink" style="margin:0 0 20px;${running}">${escapeLines(text)}</p>`,
    text: visibleText(text).trim(),
  };
}

function action({ label, url }: Link): Rendered {
  const target = escapeHtml(linkTarget(url));
  return {
    html:
      `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 14px"><tr>` +
      `<td class="solid" bgcolor="${light.ink}" style="background-color:${light.ink};border-radius:8px">` +
      `<a class="solid" href="${target}" style="display:inline-block;padding:13px 26px;font-family:${sans};font-size:16px;line-height:1.25;font-weight:500;color:${light.canvas};background-color:${light.ink};border-radius:8px;text-decoration:none">${escapeHtml(label)}</a>` +
      `</td></tr></table>` +
      `<p class="muted" style="margin:0 0 24px;font-size:13px;line-height:1.5;color:${light.muted};word-break:break-all"><bdi dir="ltr"><a class="muted" href="${target}" style="color:${light.muted};text-decoration:underline">${target}</a></bdi></p>`,
    text: `${visibleLine(label)}: ${linkTarget(url)}`,
  };
}

/** Terms and values one under the other; a value has its own direction. */
function facts(rows: readonly Fact[]): Rendered {
  const lines = rows.map(
    ({ term, value }) =>
      `<tr><td style="padding:0 0 12px"><div class="muted" style="font-size:13px;line-height:1.5;color:${light.muted}">${escapeHtml(term)}</div>` +
      `<div class="ink" style="font-size:16px;line-height:1.5;color:${light.ink};word-break:break-word;overflow-wrap:anywhere"><bdi>${escapeLines(value)}</bdi></div></td></tr>`,
  );
  return {
    html: `${table} style="margin:0 0 12px">${lines.join("")}</table>`,
    text: rows.map(({ term, value }) => `${visibleLine(term)}: ${visibleLine(value)}`).join("\n"),
  };
}

/** Each line has its own direction. */
function quote(text: string, language: Locale): Rendered {
  const lines = visibleText(text).trim().split("\n");
  const content = lines.map((line) => `<bdi>${escapeHtml(line)}</bdi>`).join("<br>");
  return {
    html:
      `${table} style="margin:0 0 24px"><tr>` +
      `<td class="quote ink" bgcolor="${light.sunk}" style="background-color:${light.sunk};border-${sideOf(language)}:3px solid ${light.hairline};padding:14px 18px;${running};word-break:break-word;overflow-wrap:anywhere">${content}</td>` +
      `</tr></table>`,
    text: lines.map((line) => `> ${line}`).join("\n"),
  };
}

function list(items: readonly string[], language: Locale): Rendered {
  const lines = items.map(
    (item) => `<li style="margin:0 0 8px;padding:0">${escapeLines(item)}</li>`,
  );
  return {
    html: `<ul class="ink" style="margin:0 0 20px;padding:${indentOf(language)};${running}">${lines.join("")}</ul>`,
    text: items.map((item) => `- ${visibleLine(item)}`).join("\n"),
  };
}

/** A value has its own direction, and may break anywhere, so that narrow screens show all columns. */
function dataTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  language: Locale,
): Rendered {
  const cell = `padding:6px 8px;border-bottom:1px solid ${light.hairline};font-size:14px;line-height:1.45;text-align:${sideOf(language)};vertical-align:top;word-break:break-word;overflow-wrap:anywhere`;
  const heads = columns.map(
    (column) =>
      `<th scope="col" class="muted cell" style="${cell};font-weight:500;color:${light.muted}"><bdi>${escapeHtml(column)}</bdi></th>`,
  );
  const lines = rows.map((row) => {
    const cells = row.map(
      (value) =>
        `<td class="ink cell" style="${cell};color:${light.ink}"><bdi>${escapeHtml(value)}</bdi></td>`,
    );
    return `<tr>${cells.join("")}</tr>`;
  });
  const plain = [columns, ...rows].map((row) => row.map(visibleLine).join(" | "));
  return {
    html: `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px;border-collapse:collapse"><thead><tr>${heads.join("")}</tr></thead><tbody>${lines.join("")}</tbody></table>`,
    text: plain.join("\n"),
  };
}

const heading = (size: number): string =>
  `margin:28px 0 10px;font-family:${serif};font-weight:500;font-size:${size}px;line-height:1.25;color:${light.ink}`;

/** Class and style of each plain tag. */
function looks(language: Locale): Readonly<Record<string, readonly [string, string]>> {
  const listed = `margin:0 0 20px;padding:${indentOf(language)};${running}`;
  return {
    h1: ["ink", heading(24)],
    h2: ["ink", heading(22)],
    h3: ["ink", heading(18)],
    p: ["ink", `margin:0 0 20px;${running}`],
    ul: ["ink", listed],
    ol: ["ink", listed],
    li: ["ink", "margin:0 0 8px;padding:0"],
    a: ["ink", `color:${light.ink};text-decoration:underline`],
    hr: ["line", `height:1px;border:0;background-color:${light.hairline};margin:28px 0`],
    blockquote: [
      "quote",
      `margin:0 0 20px;padding:18px 18px 1px;background-color:${light.sunk};border-${sideOf(language)}:3px solid ${light.hairline}`,
    ],
  };
}

const openingTag = /<(h[1-3]|p|ul|ol|li|a|hr|blockquote)(?=[\s>/])/g;

function trustedHtml(html: string, text: string, language: Locale): Rendered {
  const known = looks(language);
  return {
    html: html.replaceAll(openingTag, (tag, name: string) => {
      const look = known[name];
      return look === undefined ? tag : `<${name} class="${look[0]}" style="${look[1]}"`;
    }),
    text: visibleText(text).trim(),
  };
}

function small(text: string, link: Link | undefined): Rendered {
  const remark = visibleText(text).trim();
  const html = (behind: string): string =>
    `<p class="muted" style="margin:0 0 10px;font-size:13px;line-height:1.6;color:${light.muted}">${escapeLines(text)}${behind}</p>`;
  if (link === undefined) return { html: html(""), text: remark };
  const target = linkTarget(link.url);
  const behind = `${visibleLine(link.label)}: ${target}`;
  return {
    html: html(
      ` <a class="muted" href="${escapeHtml(target)}" style="color:${light.muted};text-decoration:underline">${escapeHtml(link.label)}</a>`,
    ),
    text: remark === "" ? behind : `${remark}\n${behind}`,
  };
}
