import { escapeHtml } from "@pro-talent/platform/mail/text-safety";
import { reportReasons } from "@pro-talent/schemas/links/report-reasons";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { brandLink, type LinkDocument } from "./link-document.ts";
import { linkTexts } from "./link-texts.ts";

/** Where a page is shown: its language, and the origin of the site. */
export type PagePlace = { readonly language: Locale; readonly origin: string };

function card({ language, origin }: PagePlace, title: string, content: string): LinkDocument {
  const bar = `<header class="bar">${brandLink(language, origin)}</header>`;
  return { language, title, body: `${bar}<main class="card"><h1>${title}</h1>${content}</main>` };
}

/** The same for every link that opens nothing, whatever the reason. */
export function unavailablePage(place: PagePlace): LinkDocument {
  const { ended, endedBody, home } = linkTexts[place.language];
  const way = `<p><a href="${escapeHtml(place.origin)}/">${home}</a></p>`;
  return card(place, ended, `<p>${endedBody}</p>${way}`);
}

/** @param wrong after a password that did not open the link */
export function passwordPage(place: PagePlace, wrong: boolean): LinkDocument {
  const { locked: title, lockedBody: body, wrong: fault } = linkTexts[place.language];
  return passwordCard(place, { title, body, fault }, wrong);
}

/** The same of a portfolio. */
export function lockedPage(place: PagePlace, wrong: boolean): LinkDocument {
  const { pageLocked: title, pageLockedBody: body, pageWrong: fault } = linkTexts[place.language];
  return passwordCard(place, { title, body, fault }, wrong);
}

type LockTexts = { readonly title: string; readonly body: string; readonly fault: string };

function passwordCard(
  place: PagePlace,
  { title, body, fault: text }: LockTexts,
  wrong: boolean,
): LinkDocument {
  const { password, open } = linkTexts[place.language];
  const notice = wrong ? `<p class="card__fault" role="alert" id="fault">${text}</p>` : "";
  const described = wrong ? ' aria-invalid="true" aria-describedby="fault"' : "";
  const field = `<label class="field__label" for="password">${password}</label><input class="field__control" id="password" name="password" type="password" required autocomplete="off" autofocus${described}>`;
  const form = `<form method="post">${field}<button class="button button--solid">${open}</button></form>`;
  return card(place, title, `<p>${body}</p>${notice}${form}`);
}

/** @param back address of the page that is reported; @param missing whether no reason was chosen */
export function reportPage(place: PagePlace, back: string, missing: boolean): LinkDocument {
  const t = linkTexts[place.language];
  const notice = missing ? `<p class="card__fault" role="alert">${t.chooseReason}</p>` : "";
  const choices = reportReasons.map(
    (reason) =>
      `<label class="card__choice"><input type="radio" name="reason" value="${reason}" required> ${t.reasons[reason]}</label>`,
  );
  const fields = `<fieldset><legend>${t.reportReason}</legend>${choices.join("")}</fieldset>`;
  const form = `<form method="post">${fields}<button class="button button--solid">${t.send}</button></form>`;
  const way = `<p><a href="${escapeHtml(back)}">${t.back}</a></p>`;
  return card(place, t.reportTitle, `<p>${t.reportBody}</p>${notice}${form}${way}`);
}

export function reportedPage(place: PagePlace, back: string): LinkDocument {
  const { reported, reportedBody, back: text } = linkTexts[place.language];
  const way = `<p><a href="${escapeHtml(back)}">${text}</a></p>`;
  return card(place, reported, `<p>${reportedBody}</p>${way}`);
}

/** After a message that is not complete; what was written is still in the form behind. */
export function messagePage(place: PagePlace, back: string): LinkDocument {
  const { incomplete, incompleteBody, back: text } = linkTexts[place.language];
  const way = `<p><a href="${escapeHtml(back)}">${text}</a></p>`;
  return card(place, incomplete, `<p role="alert">${incompleteBody}</p>${way}`);
}

export function sentPage(place: PagePlace, back: string): LinkDocument {
  const { sent, sentBody, back: text } = linkTexts[place.language];
  const way = `<p><a href="${escapeHtml(back)}">${text}</a></p>`;
  return card(place, sent, `<p>${sentBody}</p>${way}`);
}
