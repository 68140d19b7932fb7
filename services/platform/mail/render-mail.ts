import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { type Action, action } from "./blocks/action.ts";
import { type Facts, facts } from "./blocks/facts.ts";
import { type List, list } from "./blocks/list.ts";
import { type Paragraph, paragraph } from "./blocks/paragraph.ts";
import { type Quote, quote } from "./blocks/quote.ts";
import { type Small, small } from "./blocks/small.ts";
import { type TrustedHtml, trustedHtml } from "./blocks/trusted-html.ts";
import { layOut } from "./layout.ts";
import { visibleLine } from "./visible-text.ts";

export type MailBlock = Paragraph | Action | Facts | Quote | List | TrustedHtml | Small;

export type MailContent = {
  readonly language: Locale;
  readonly title: string;
  /** What mail programs show beside the subject; not seen in the mail itself. */
  readonly preheader: string;
  readonly blocks: readonly MailBlock[];
  readonly footer: readonly MailBlock[];
};

/**
 * One mail in the product's look, as HTML and as plain text. Everything but an `html` block is
 * escaped; nothing in it is loaded from anywhere.
 */
export function renderMail(content: MailContent): { html: string; text: string } {
  const { language, title, preheader, blocks, footer } = content;
  const html = layOut({
    language,
    title,
    preheader,
    body: blocks.map((block) => asHtml(block, language)).join("\n"),
    footer: footer.map((block) => asHtml(block, language)).join("\n"),
  });
  // What follows "-- " is folded away or left out of answers by mail programs (RFC 3676 §4.3).
  const end = footer.length === 0 ? [] : [["-- ", ...footer.map(asText)].join("\n")];
  const text = [visibleLine(title), ...blocks.map(asText), ...end].join("\n\n");
  return { html, text: `${text}\n` };
}

function asHtml(block: MailBlock, language: Locale): string {
  switch (block.kind) {
    case "paragraph":
      return paragraph.html(block);
    case "action":
      return action.html(block);
    case "facts":
      return facts.html(block);
    case "quote":
      return quote.html(block, language);
    case "list":
      return list.html(block, language);
    case "html":
      return trustedHtml.html(block, language);
    case "small":
      return small.html(block);
  }
}

function asText(block: MailBlock): string {
  switch (block.kind) {
    case "paragraph":
      return paragraph.text(block);
    case "action":
      return action.text(block);
    case "facts":
      return facts.text(block);
    case "quote":
      return quote.text(block);
    case "list":
      return list.text(block);
    case "html":
      return trustedHtml.text(block);
    case "small":
      return small.text(block);
  }
}
