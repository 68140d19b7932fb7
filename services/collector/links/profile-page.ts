import { escapeHtml, escapeLines } from "@pro-talent/platform/mail/text-safety";
import type { ShownPage } from "@pro-talent/schemas/accounts/public-page";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { brandLink, languageLink, type LinkDocument } from "./link-document.ts";
import type { PagePlace } from "./link-pages.ts";
import { filled, linkTexts } from "./link-texts.ts";

/** What an account holder published: name, headline, photo, summary and links. */
export function profileArticle(language: Locale, page: ShownPage): string {
  const { handle, fullName, headline, summary, links, hasPhoto } = page;
  const t = linkTexts[language];
  const alt = escapeHtml(filled(t.photoOf, { name: fullName }));
  const photo = hasPhoto
    ? `<img class="profile__photo" src="/p/${handle}/photo" alt="${alt}" width="512" height="512">`
    : "";
  const lead =
    headline === "" ? "" : `<p class="profile__headline" dir="auto">${escapeHtml(headline)}</p>`;
  const paragraphs = summary
    .split(/\n\s*\n/u)
    .filter((text) => text.trim() !== "")
    .map((text) => `<p dir="auto">${escapeLines(text.trim())}</p>`);
  const about =
    paragraphs.length === 0 ? "" : `<div class="profile__summary">${paragraphs.join("")}</div>`;
  return `<article dir="${directionOf(`${fullName} ${headline} ${summary}`)}"><header class="profile__head">${photo}<div><h1 dir="auto">${escapeHtml(fullName)}</h1>${lead}</div></header>${about}${linkList(language, links)}</article>`;
}

/** The page follows the script of its owner's words, whatever language the page around it has. */
function directionOf(words: string): "ltr" | "rtl" {
  const [first = ""] = /\p{L}/u.exec(words) ?? [];
  return /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(first) ? "rtl" : "ltr";
}

function linkList(language: Locale, links: ShownPage["links"]): string {
  if (links.length === 0) return "";
  const items = links.map(
    ({ label, url }) =>
      `<li><a href="${escapeHtml(url)}" rel="noopener noreferrer nofollow"><span dir="auto">${escapeHtml(label)}</span><bdi class="profile__host" dir="ltr">${escapeHtml(new URL(url).hostname.replace(/^www\./u, ""))}</bdi></a></li>`,
  );
  return `<h2>${linkTexts[language].links}</h2><ul class="profile__links">${items.join("")}</ul>`;
}

/** The public page at its own address, which counts nothing. */
export function profilePage({ language, origin }: PagePlace, page: ShownPage): LinkDocument {
  const body = `<div class="viewing"><header class="bar">${brandLink(language, origin)}</header>
<main class="profile">${profileArticle(language, page)}</main>
<footer class="viewing__end"><nav class="notice__ways">${languageLink(language)}</nav></footer></div>`;
  return { language, title: page.fullName, body };
}
