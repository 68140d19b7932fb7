import { light } from "../colours.ts";
import { escapeHtml, escapeLines, linkTarget } from "../escape-html.ts";
import { visibleLine, visibleText } from "../visible-text.ts";

export type Small = {
  readonly kind: "small";
  readonly text: string;
  readonly link?: { readonly label: string; readonly url: string };
};

/** A remark, with a link behind it if there is one. */
export const small = {
  html: ({ text, link }: Small): string => {
    const behind =
      link === undefined
        ? ""
        : ` <a class="muted" href="${escapeHtml(linkTarget(link.url))}" style="color:${light.muted};text-decoration:underline">${escapeHtml(link.label)}</a>`;
    return `<p class="muted" style="margin:0 0 10px;font-size:13px;line-height:1.6;color:${light.muted}">${escapeLines(text)}${behind}</p>`;
  },
  text: ({ text, link }: Small): string => {
    const remark = visibleText(text).trim();
    if (link === undefined) return remark;
    const behind = `${visibleLine(link.label)}: ${linkTarget(link.url)}`;
    return remark === "" ? behind : `${remark}\n${behind}`;
  },
};
