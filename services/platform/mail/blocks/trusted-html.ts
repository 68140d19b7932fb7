import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { light, serif } from "../colours.ts";
import { visibleText } from "../visible-text.ts";

/** Made from our own Markdown only: it is not escaped. */
export type TrustedHtml = { readonly kind: "html"; readonly html: string; readonly text: string };

type Look = { readonly classes: string; readonly style: string };

const heading = (size: number): Look => ({
  classes: "ink",
  style: `margin:28px 0 10px;font-family:${serif};font-weight:500;font-size:${size}px;line-height:1.25;color:${light.ink}`,
});
const running = `font-size:16px;line-height:1.6;color:${light.ink}`;

/** Mail programs drop style sheets: every plain tag carries its own style. */
function looks(language: Locale): Readonly<Record<string, Look>> {
  const side = language === "he" ? "right" : "left";
  const indent = language === "he" ? "0 22px 0 0" : "0 0 0 22px";
  return {
    h1: heading(24),
    h2: heading(22),
    h3: heading(18),
    p: { classes: "ink", style: `margin:0 0 20px;${running}` },
    ul: { classes: "ink", style: `margin:0 0 20px;padding:${indent};${running}` },
    ol: { classes: "ink", style: `margin:0 0 20px;padding:${indent};${running}` },
    li: { classes: "ink", style: "margin:0 0 8px;padding:0" },
    a: { classes: "ink", style: `color:${light.ink};text-decoration:underline` },
    hr: {
      classes: "line",
      style: `height:1px;border:0;background-color:${light.hairline};margin:28px 0`,
    },
    blockquote: {
      classes: "quote",
      style: `margin:0 0 20px;padding:18px 18px 1px;background-color:${light.sunk};border-${side}:3px solid ${light.hairline}`,
    },
  };
}

const openingTag = /<(h[1-3]|p|ul|ol|li|a|hr|blockquote)(?=[\s>/])/g;

export const trustedHtml = {
  html: ({ html }: TrustedHtml, language: Locale): string => {
    const known = looks(language);
    return html.replaceAll(openingTag, (tag, name: string) => {
      const look = known[name];
      return look === undefined ? tag : `<${name} class="${look.classes}" style="${look.style}"`;
    });
  },
  text: ({ text }: TrustedHtml): string => visibleText(text).trim(),
};
