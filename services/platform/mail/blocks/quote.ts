import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { light } from "../colours.ts";
import { escapeHtml } from "../escape-html.ts";
import { visibleText } from "../visible-text.ts";

export type Quote = { readonly kind: "quote"; readonly text: string };

const linesOf = (text: string): string[] => visibleText(text).trim().split("\n");

/** What somebody wrote, marked as such; each line reads in its own direction. */
export const quote = {
  html: ({ text }: Quote, language: Locale): string => {
    const side = language === "he" ? "right" : "left";
    const lines = linesOf(text).map((line) => `<bdi>${escapeHtml(line)}</bdi>`);
    return (
      `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px"><tr>` +
      `<td class="quote ink" bgcolor="${light.sunk}" style="background-color:${light.sunk};border-${side}:3px solid ${light.hairline};padding:14px 18px;font-size:16px;line-height:1.6;color:${light.ink};word-break:break-word;overflow-wrap:anywhere">${lines.join("<br>")}</td>` +
      `</tr></table>`
    );
  },
  text: ({ text }: Quote): string =>
    linesOf(text)
      .map((line) => `> ${line}`)
      .join("\n"),
};
