import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { light, type MailBlock, renderBlock, sans, serif } from "./blocks.ts";
import { escapeHtml, visibleLine } from "./text-safety.ts";

export const dark = {
  canvas: "#10141b",
  sunk: "#0b0e15",
  ink: "#efede7",
  muted: "#b1b6bf",
  hairline: "#31353f",
} as const;

export type MailContent = {
  readonly language: Locale;
  readonly title: string;
  /** What mail programs show beside the subject line; not seen in the mail itself. */
  readonly preheader: string;
  readonly blocks: readonly MailBlock[];
  readonly footer: readonly MailBlock[];
};

/**
 * One mail in the product's design, as HTML and as plain text. Everything but an `html` block is
 * escaped; nothing in it is loaded from anywhere.
 * @throws {TypeError} for a link that leads to neither a web nor a mail address
 */
export function renderMail(content: MailContent): { html: string; text: string } {
  const render = (block: MailBlock) => renderBlock(block, content.language);
  const [blocks, footer] = [content.blocks.map(render), content.footer.map(render)];
  const htmlOf = (parts: typeof blocks): string => parts.map((block) => block.html).join("\n");
  const html = layOut(content, htmlOf(blocks), htmlOf(footer));
  // What follows "-- " is folded away or left out of answers by mail programs (RFC 3676 §4.3).
  const end = footer.length === 0 ? [] : [["-- ", ...footer.map(({ text }) => text)].join("\n")];
  const text = [visibleLine(content.title), ...blocks.map((block) => block.text), ...end].join(
    "\n\n",
  );
  return { html, text: `${text}\n` };
}

const widthMax = 600;
const productName = "Pro Talent";

/** Mail programs that read it follow the recipient's theme; the others show the light one. */
const style = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;-webkit-text-size-adjust:100%;text-size-adjust:100%}
@media (max-width:480px){.edge{padding-left:20px!important;padding-right:20px!important}.title{font-size:26px!important}}
@media (prefers-color-scheme:dark){
.canvas{background-color:${dark.canvas}!important}
.ink{color:${dark.ink}!important}
.muted{color:${dark.muted}!important}
.quote{background-color:${dark.sunk}!important;border-color:${dark.hairline}!important}
.line{background-color:${dark.hairline}!important}
.cell{border-color:${dark.hairline}!important}
.solid{background-color:${dark.ink}!important;color:${dark.canvas}!important}
}`;

/** Keeps what follows out of the line that mail programs show beside the subject line. */
const filler = "&#847;&zwnj;&nbsp;".repeat(60);

/**
 * The page of a mail: the product's name, a title, the content, a line, and who writes and why. Body
 * and footer are HTML already.
 */
function layOut({ language, title, preheader }: MailContent, body: string, footer: string): string {
  const [dir, side] = language === "he" ? ["rtl", "right"] : ["ltr", "left"];
  return `<!DOCTYPE html>
<html lang="${language}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escapeHtml(title)}</title>
<style>${style}
</style>
</head>
<body class="canvas" bgcolor="${light.canvas}" style="margin:0;padding:0;background-color:${light.canvas}">
<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:${light.canvas}">${escapeHtml(preheader)}${filler}</div>
<table class="canvas" role="presentation" lang="${language}" dir="${dir}" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${light.canvas}" style="background-color:${light.canvas}">
<tr><td align="center" style="padding:0">
<!--[if mso]><table role="presentation" width="${widthMax}" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" dir="${dir}" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:${widthMax}px">
<tr><td class="edge ink" align="${side}" style="padding:36px 32px 0;font-family:${serif};font-size:19px;font-weight:500;line-height:1;color:${light.ink}"><bdi dir="ltr">${productName}</bdi></td></tr>
<tr><td class="edge" align="${side}" style="padding:32px 32px 24px;font-family:${sans};text-align:${side}">
<h1 class="ink title" style="margin:0 0 20px;font-family:${serif};font-size:30px;line-height:1.2;font-weight:500;color:${light.ink}">${escapeHtml(title)}</h1>
${body}
</td></tr>
<tr><td class="edge" style="padding:0 32px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="line" height="1" bgcolor="${light.hairline}" style="height:1px;font-size:0;line-height:0;background-color:${light.hairline}">&nbsp;</td></tr></table></td></tr>
<tr><td class="edge" align="${side}" style="padding:20px 32px 44px;font-family:${sans};text-align:${side}">
${footer}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`;
}
