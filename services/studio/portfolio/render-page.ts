import { shortened } from "@pro-talent/platform/mail/text-safety";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { PortfolioDocument } from "@pro-talent/schemas/studio/portfolio";
import { pageGaps, type ShownPortfolioPage } from "@pro-talent/schemas/studio/portfolio-calls";
import { plainOf } from "@pro-talent/schemas/studio/runs";

import { type Outline, outlineOf } from "../outline.ts";
import type { Sizes } from "./pictures.ts";
import { inline, namedLink, publicAddress, safe, scriptJson } from "./safe-html.ts";
import { type PicturesByEntry, sectionsHtml } from "./section-html.ts";
import { portfolioTexts } from "./texts.ts";

/** What a page is made of beside its document. */
export type PageParts = {
  readonly sizes: Sizes;
  readonly contactForm: boolean;
  readonly hasCv: boolean;
  /** Whether there is a page in the other language. */
  readonly hasOther: boolean;
};

const { base, address } = pageGaps;
const titleCharsMax = 70;
const descriptionCharsMax = 160;

/**
 * The page of a portfolio as one document: plain HTML with the style sheet of its theme, without scripts. Whatever
 * its owner wrote is text.
 */
export function renderPage(document: PortfolioDocument, parts: PageParts): ShownPortfolioPage {
  const { language, look, profile } = document;
  const outline = outlineOf({ ...document, profile: { ...profile, email: "", phone: "" } });
  const { name, headline } = outline;
  const t = portfolioTexts[language];
  const title = name === "" ? t.fallbackTitle : [name, headline].filter(Boolean).join(" – ");
  const description = descriptionOf(outline);
  const direction = language === "he" ? "rtl" : "ltr";
  const html = `<!doctype html>
<html lang="${language}" dir="${direction}" class="accent-${look.accent}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${safe(shortened(title, titleCharsMax))}</title>
<meta name="description" content="${safe(description)}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/viewer/portfolio-${look.theme}.css">
${pageGaps.head}
<script type="application/ld+json">${personJson(document)}</script>
</head>
<body>
<a class="skip" href="#content">${t.skip}</a>
<div class="page">
<header class="head">${headHtml(document, outline, parts)}</header>
<main id="content">${sectionsHtml(outline, picturesByEntry(document), parts.sizes)}${
    parts.contactForm ? formHtml(language, name) : ""
  }</main>
<footer class="foot">${pageGaps.foot}</footer>
</div>
</body>
</html>
`;
  return { language, name, title, description, html };
}

function descriptionOf({ headline, sections }: Outline): string {
  const [summary] = sections.filter(({ kind }) => kind === "summary");
  const words = summary?.entries.map(({ note }) => plainOf(note)).join(" ") ?? "";
  return shortened(words === "" ? headline : words, descriptionCharsMax);
}

const picturesByEntry = ({ sections }: PortfolioDocument): PicturesByEntry =>
  new Map(
    sections.flatMap((section) =>
      section.kind === "projects" ? section.entries.map(({ id, pictures }) => [id, pictures]) : [],
    ),
  );

function headHtml(document: PortfolioDocument, outline: Outline, parts: PageParts): string {
  const { language, profile } = document;
  const t = portfolioTexts[language];
  const headline =
    outline.headline === "" ? "" : `<p class="headline" dir="auto">${safe(outline.headline)}</p>`;
  const place =
    profile.place === "" ? "" : `<p class="place" dir="auto">${safe(profile.place)}</p>`;
  const sections = outline.sections.map(
    ({ title }, index) => `<li><a href="#s${index + 1}">${inline(title)}</a></li>`,
  );
  const contents =
    sections.length < 2
      ? ""
      : `<nav class="contents" aria-label="${t.contents}"><ul>${sections.join("")}</ul></nav>`;
  return `${photoHtml(document, parts.sizes)}<div class="who"><h1 dir="auto">${safe(outline.name)}</h1>${headline}${place}</div>${waysHtml(document, parts)}${contents}`;
}

function photoHtml({ language, profile }: PortfolioDocument, sizes: Sizes): string {
  const { photo, fullName } = profile;
  const size = photo && sizes.get(photo.file);
  if (!photo || !size) return "";
  const alt =
    photo.alt === ""
      ? portfolioTexts[language].photoOf.replace("{name}", () => fullName)
      : photo.alt;
  return `<img class="photo" src="${base}/pictures/${photo.file}" alt="${safe(alt)}" width="${size.width}" height="${size.height}">`;
}

/** How readers go on from here: links, the CV, a message, the other language. */
function waysHtml({ language, profile }: PortfolioDocument, parts: PageParts): string {
  const t = portfolioTexts[language];
  const links = profile.links.flatMap(({ label, url }) => {
    const target = publicAddress(url);
    if (target !== null) return [namedLink(label, target)];
    return label === "" && url === "" ? [] : [inline(label === "" ? url : label)];
  });
  const other = language === "he" ? "en" : "he";
  const own = [
    parts.contactForm && `<a class="way" href="#write">${t.write}</a>`,
    parts.hasCv && `<a class="way" href="${base}/cv/${language}" download>${t.downloadCv}</a>`,
    parts.hasOther &&
      `<a href="?lang=${other}" hreflang="${other}" lang="${other}">${t.otherLanguage}</a>`,
  ].filter((way) => way !== false);
  const items = [...own, ...links].map((way) => `<li>${way}</li>`);
  return items.length === 0 ? "" : `<ul class="ways">${items.join("")}</ul>`;
}

/** Writes to the owner, whose address is not on the page. A program fills in the field that no one sees. */
function formHtml(language: Locale, name: string): string {
  const t = portfolioTexts[language];
  const field = (id: string, label: string, control: string) =>
    `<div class="field"><label for="${id}">${label}</label>${control}</div>`;
  return `<section class="section write" id="write" aria-labelledby="write-title"><h2 id="write-title">${t.writeTitle.replace("{name}", () => inline(name))}</h2>
<form method="post" action="${base}/contact"><p>${t.writeHint}</p>
${field("name", t.yourName, `<input id="name" name="name" required maxlength="100" autocomplete="name" dir="auto">`)}
${field("email", t.yourEmail, `<input id="email" name="email" type="email" required maxlength="254" autocomplete="email" dir="ltr">`)}
${field("message", t.message, `<textarea id="message" name="message" required minlength="10" maxlength="4000" rows="6" dir="auto"></textarea>`)}
<div class="unused" aria-hidden="true"><label for="website">${t.leaveEmpty}</label><input id="website" name="website" tabindex="-1" autocomplete="off"></div>
<input type="hidden" name="language" value="${language}"><button class="way">${t.send}</button></form></section>`;
}

/** Who the page is about, for search engines (schema.org). */
function personJson({ profile }: PortfolioDocument): string {
  const { fullName, headline, place, links } = profile;
  const sameAs = links.map(({ url }) => publicAddress(url)).filter((url) => url !== null);
  const person = scriptJson({
    "@context": "https://schema.org",
    "@type": "Person",
    name: fullName,
    ...(headline !== "" && { jobTitle: headline }),
    ...(place !== "" && { homeLocation: { "@type": "Place", name: place } }),
    ...(sameAs.length > 0 && { sameAs }),
  });
  return person.replace("{", () => `{"url":"${address}",`);
}
