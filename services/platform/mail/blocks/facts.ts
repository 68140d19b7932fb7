import { light } from "../colours.ts";
import { escapeHtml, escapeLines } from "../escape-html.ts";
import { visibleLine } from "../visible-text.ts";

export type Facts = {
  readonly kind: "facts";
  readonly facts: readonly { readonly term: string; readonly value: string }[];
};

/** Terms and values one under the other; a value reads in its own direction. */
export const facts = {
  html: ({ facts: rows }: Facts): string => {
    const lines = rows.map(
      ({ term, value }) =>
        `<tr><td style="padding:0 0 12px"><div class="muted" style="font-size:13px;line-height:1.5;color:${light.muted}">${escapeHtml(term)}</div>` +
        `<div class="ink" style="font-size:16px;line-height:1.5;color:${light.ink};word-break:break-word;overflow-wrap:anywhere"><bdi>${escapeLines(value)}</bdi></div></td></tr>`,
    );
    return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 12px">${lines.join("")}</table>`;
  },
  text: ({ facts: rows }: Facts): string =>
    rows.map(({ term, value }) => `${visibleLine(term)}: ${visibleLine(value)}`).join("\n"),
};
