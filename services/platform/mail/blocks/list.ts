import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { light } from "../colours.ts";
import { escapeLines } from "../escape-html.ts";
import { visibleLine } from "../visible-text.ts";

export type List = { readonly kind: "list"; readonly items: readonly string[] };

export const list = {
  html: ({ items }: List, language: Locale): string => {
    const indent = language === "he" ? "0 22px 0 0" : "0 0 0 22px";
    const lines = items.map(
      (item) => `<li style="margin:0 0 8px;padding:0">${escapeLines(item)}</li>`,
    );
    return `<ul class="ink" style="margin:0 0 20px;padding:${indent};font-size:16px;line-height:1.6;color:${light.ink}">${lines.join("")}</ul>`;
  },
  text: ({ items }: List): string => items.map((item) => `- ${visibleLine(item)}`).join("\n"),
};
