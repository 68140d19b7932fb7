import { light } from "../colours.ts";
import { escapeLines } from "../escape-html.ts";
import { visibleText } from "../visible-text.ts";

export type Paragraph = { readonly kind: "paragraph"; readonly text: string };

export const paragraph = {
  html: ({ text }: Paragraph): string =>
    `<p class="ink" style="margin:0 0 20px;font-size:16px;line-height:1.6;color:${light.ink}">${escapeLines(text)}</p>`,
  text: ({ text }: Paragraph): string => visibleText(text).trim(),
};
