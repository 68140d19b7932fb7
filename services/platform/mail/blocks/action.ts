import { light, sans } from "../colours.ts";
import { escapeHtml, linkTarget } from "../escape-html.ts";
import { visibleLine } from "../visible-text.ts";

export type Action = { readonly kind: "action"; readonly label: string; readonly url: string };

/** One thing to do: a button, and its address in full for who cannot press it. */
export const action = {
  html: ({ label, url }: Action): string => {
    const target = escapeHtml(linkTarget(url));
    return (
      `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 14px"><tr>` +
      `<td class="solid" bgcolor="${light.ink}" style="background-color:${light.ink};border-radius:8px">` +
      `<a class="solid" href="${target}" style="display:inline-block;padding:13px 26px;font-family:${sans};font-size:16px;line-height:1.25;font-weight:500;color:${light.canvas};background-color:${light.ink};border-radius:8px;text-decoration:none">${escapeHtml(label)}</a>` +
      `</td></tr></table>` +
      `<p class="muted" style="margin:0 0 24px;font-size:13px;line-height:1.5;color:${light.muted};word-break:break-all"><bdi dir="ltr"><a class="muted" href="${target}" style="color:${light.muted};text-decoration:underline">${target}</a></bdi></p>`
    );
  },
  text: ({ label, url }: Action): string => `${visibleLine(label)}: ${linkTarget(url)}`,
};
