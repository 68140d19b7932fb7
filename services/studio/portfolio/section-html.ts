import type { Picture } from "@pro-talent/schemas/studio/portfolio";
import { pageGaps } from "@pro-talent/schemas/studio/portfolio-calls";

import type { Linked, Outline, OutlineEntry, OutlineSection } from "../outline.ts";
import type { Sizes } from "./pictures.ts";
import { addressLink, inline, publicAddress, richHtml, safe } from "./safe-html.ts";

/** Pictures of each project by the id of its entry. */
export type PicturesByEntry = ReadonlyMap<string, readonly Picture[]>;

/** The sections of a page. Ids are numbers: those of the document are its owner's and name nothing here. */
export function sectionsHtml(
  { sections }: Outline,
  pictures: PicturesByEntry,
  sizes: Sizes,
): string {
  return sections
    .map((section, index) => {
      const id = `s${index + 1}`;
      const heading =
        section.title === "" ? "" : `<h2 id="${id}" dir="auto">${safe(section.title)}</h2>`;
      const label = section.title === "" ? ` id="${id}"` : ` aria-labelledby="${id}"`;
      const entries = entriesHtml(section, (entry) =>
        galleryHtml(pictures.get(entry.id) ?? [], sizes),
      );
      return `<section class="section section--${section.kind}"${label}>${heading}<div class="entries">${entries}</div></section>`;
    })
    .join("");
}

function entriesHtml(
  { kind, entries }: OutlineSection,
  gallery: (entry: OutlineEntry) => string,
): string {
  if (kind === "skills" || kind === "languages")
    return `<ul class="groups">${entries.map(groupHtml).join("")}</ul>`;
  return entries.map((entry) => entryHtml(entry, gallery(entry))).join("");
}

/** A group of skills, or a language with how well it is known. */
function groupHtml({ title, items, link }: OutlineEntry): string {
  const name = title === "" ? "" : `<h3 dir="auto">${safe(title)}</h3>`;
  const list = items.map((item) => `<li>${inline(item)}</li>`).join("");
  const shown = list === "" ? "" : `<ul class="items">${list}</ul>`;
  return `<li class="group">${name}${shown}${linkHtml(link)}</li>`;
}

function entryHtml(entry: OutlineEntry, gallery: string): string {
  const { title, subtitle, place, dates, link, note, bullets } = entry;
  const by = [subtitle, place].filter((part) => part !== "").map(inline);
  const head = [
    title === "" ? "" : `<h3 dir="auto">${safe(title)}</h3>`,
    by.length === 0 ? "" : `<p class="by">${by.join(`<span class="dot"> · </span>`)}</p>`,
    dates === "" ? "" : `<p class="dates">${inline(dates)}</p>`,
  ].join("");
  const body = [
    note.length === 0 ? "" : `<p class="note" dir="auto">${richHtml(note)}</p>`,
    bullets.length === 0
      ? ""
      : `<ul class="bullets">${bullets.map((runs) => `<li dir="auto">${richHtml(runs)}</li>`).join("")}</ul>`,
    linkHtml(link),
  ].join("");
  return `<article class="entry">${head === "" ? "" : `<header class="entry__head">${head}</header>`}${body === "" ? "" : `<div class="entry__body">${body}</div>`}${gallery}</article>`;
}

function linkHtml(link: Linked | null): string {
  if (link === null) return "";
  const url = publicAddress(link.href);
  return `<p class="link">${url === null ? inline(link.text) : addressLink(url)}</p>`;
}

/** A picture that is gone leaves no gap. */
function galleryHtml(pictures: readonly Picture[], sizes: Sizes): string {
  const items = pictures.flatMap(({ file, alt, caption }) => {
    const size = sizes.get(file);
    if (size === undefined) return [];
    const { width, height } = size;
    const image = `<img src="${pageGaps.base}/pictures/${file}" alt="${safe(alt)}" width="${width}" height="${height}" loading="lazy" decoding="async">`;
    const under = caption === "" ? "" : `<figcaption dir="auto">${safe(caption)}</figcaption>`;
    return [`<li class="r${tenths(width / height)}"><figure>${image}${under}</figure></li>`];
  });
  return items.length === 0 ? "" : `<ul class="gallery">${items.join("")}</ul>`;
}

/** Proportions that the style sheets know; what is narrower or wider is cut at its sides. */
const tenths = (ratio: number): number => Math.min(30, Math.max(4, Math.round(ratio * 10)));
