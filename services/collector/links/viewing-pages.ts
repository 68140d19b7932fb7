import { escapeHtml } from "@pro-talent/platform/mail/text-safety";
import type { PageOwner } from "@pro-talent/schemas/accounts/public-page";
import type { LinkFile } from "@pro-talent/schemas/links/events";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { brandLink, languageLink, type LinkDocument } from "./link-document.ts";
import type { PagePlace } from "./link-pages.ts";
import { filled, linkTexts } from "./link-texts.ts";

/** What the pages of an open state. */
export type Viewed = PagePlace & {
  /** Path of the page itself, as in `/v/ticket`. */
  readonly path: string;
  /** Of a portfolio that is published; undefined where there is none. */
  readonly owner: PageOwner | undefined;
};

type File = Pick<LinkFile, "name" | "kind" | "bytes">;

const named = (text: string, name: string): string =>
  filled(escapeHtml(text), { name: `<bdi>${escapeHtml(name)}</bdi>` });

/** Who shared it, that openings are counted, and how to object. */
export function notice({ language, origin, path }: Omit<Viewed, "owner">): string {
  const t = linkTexts[language];
  const site = escapeHtml(origin);
  return `${countedNotice(language, t.counted)}
<nav class="notice__ways"><a href="${site}/privacy">${t.privacy}</a><a href="${site}/contact">${t.contact}</a><a href="${escapeHtml(path)}/report">${t.report}</a>${languageLink(language)}</nav>`;
}

/** What is counted of the openings of a link or a page, and what is not. */
export function countedNotice(language: Locale, summary: string): string {
  const t = linkTexts[language];
  return `<details class="notice" id="notice"><summary>${summary}</summary>
<p>${t.seen}</p><p>${t.unseen}</p><p>${t.object}</p></details>`;
}

const footer = (viewed: Viewed): string =>
  `<footer class="viewing__end">${notice(viewed)}</footer>`;

function bar(viewed: Viewed, file: File, tools: string): string {
  const { language, origin, path, owner } = viewed;
  const t = linkTexts[language];
  const by = owner === undefined ? t.shared : named(t.sharedBy, owner.fullName);
  return `<header class="bar">${brandLink(language, origin)}
<div class="bar__title"><h1><bdi>${escapeHtml(file.name)}</bdi></h1><p>${by} · <a href="#notice">${t.countedShort}</a></p></div>${tools}
<a class="button button--solid bar__save" href="${escapeHtml(path)}/save" download>${t.download}</a></header>`;
}

const arrow = (path: string): string =>
  `<svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg>`;
const tool = (act: string, label: string, path: string): string =>
  `<button type="button" class="tool" data-act="${act}" aria-label="${label}">${arrow(path)}</button>`;

/** A PDF, which the script draws; without scripts it can be downloaded. */
export function pdfPage(viewed: Viewed, file: File): LinkDocument {
  const { language, path } = viewed;
  const t = linkTexts[language];
  const tools = `<div class="bar__tools" role="group" aria-label="${t.tools}" hidden>
${tool("previous", t.previous, "M5 12.500l5-5 5 5")}<output data-place></output>${tool("next", t.next, "M5 7.500l5 5 5-5")}
${tool("smaller", t.smaller, "M4 10h12")}<button type="button" class="tool tool--text" data-act="fit"><span data-size>100%</span><span class="visually-hidden"> ${t.fit}</span></button>${tool("larger", t.larger, "M4 10h12M10 4v12")}</div>`;
  const address = escapeHtml(path);
  const pages = `<main class="pages" data-viewing="${address}" data-pdf="${address}/file" data-page-of="${t.pageOf}" data-page="${t.page}" data-failed="${t.failed}"><p class="pages__state" role="status" data-state>${t.loading}</p><noscript><p class="pages__state">${t.noScript}</p></noscript></main>`;
  const body = `${bar(viewed, file, tools)}${pages}${footer(viewed)}`;
  return {
    language,
    title: file.name,
    body: `<div class="viewing">${body}</div>`,
    hasScript: true,
  };
}

/** A DOCX: its name and size, and a way to download it. Nothing of it is shown or run. */
export function docxPage(viewed: Viewed, file: File): LinkDocument {
  const { language, path, owner, origin } = viewed;
  const t = linkTexts[language];
  const by = owner === undefined ? t.shared : named(t.sharedBy, owner.fullName);
  const address = escapeHtml(path);
  const body = `<div class="viewing"><header class="bar">${brandLink(language, origin)}</header>
<main class="card card--file" data-viewing="${address}"><p class="card__kind">${t.kindDocx} · <bdi>${sizeOf(file.bytes, language)}</bdi></p>
<h1><bdi>${escapeHtml(file.name)}</bdi></h1><p>${by}</p>
<p><a class="button button--solid" href="${address}/save" download>${t.download}</a></p>
<p class="card__hint">${t.downloadOnly}</p></main>${footer(viewed)}</div>`;
  return { language, title: file.name, body, hasScript: true };
}

function sizeOf(bytes: number, language: Locale): string {
  const t = linkTexts[language];
  const isLarge = bytes >= 1_000_000;
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: isLarge ? 1 : 0 });
  const size = format.format(isLarge ? bytes / 1_000_000 : Math.max(1, bytes / 1000));
  return filled(isLarge ? t.megabytes : t.kilobytes, { size });
}
