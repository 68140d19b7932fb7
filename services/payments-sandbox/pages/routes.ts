import { parseBody } from "@pro-talent/platform/http/parse-body";
import {
  requestLanguage,
  addPlainForms,
  requireOwnOrigin,
} from "@pro-talent/platform/http/plain-forms";
import { escapeHtml } from "@pro-talent/platform/mail/text-safety";
import {
  type TestCard,
  testCards,
  type TestCardName,
} from "@pro-talent/schemas/payments-sandbox/cards";
import { localeOfTag } from "@pro-talent/schemas/primitives/language-tag";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import { CardName, type Journal, type StoredCheckout } from "../journal.ts";
import { known, type Provider } from "../provider.ts";
import { page, pagePolicy, shownMoney } from "./layout.ts";
import { type CardGroup, cardGroups, texts } from "./texts.ts";

type ById = { Params: { id: string } };
const html = "text/html; charset=utf-8";
const cardNames = z.array(CardName).parse(Object.keys(testCards));

type PageParts = {
  readonly journal: Journal;
  readonly provider: Provider;
  readonly publicOrigin: string;
};

/**
 * The hosted pages: where a card is chosen, and where its bank asks. Plain forms without scripts, in a
 * scope of their own. The id in the address is the permission.
 */
export function addHostedPages(app: FastifyInstance, parts: PageParts): void {
  addPlainForms(app);
  requireOwnOrigin(app, parts.publicOrigin);
  addCheckoutPage(app, parts);
  addChallengePage(app, parts);
}

/** @param origins sites to which a form of the page may lead */
function sendPage(reply: FastifyReply, text: string, origins: readonly string[]): FastifyReply {
  return (
    reply
      .type(html)
      .header("content-security-policy", pagePolicy(origins))
      // Without a referrer browsers would send the form as from no site.
      .header("referrer-policy", "same-origin")
      .header("x-frame-options", "DENY")
      .send(text)
  );
}

function addCheckoutPage(
  app: FastifyInstance,
  { journal, provider, publicOrigin }: PageParts,
): void {
  app.get<ById>("/sandbox-payments/checkout/:id", async (request, reply) => {
    const { id } = request.params;
    const { checkout, status } = await journal.run((tables) => {
      const stored = known(tables.checkouts.get(id));
      return { checkout: stored, status: provider.statusOf(stored) };
    });
    const language = pageLanguage(request, checkout.language);
    if (status !== "open")
      return sendPage(reply, endedPage(language, request, checkout.cancelUrl), []);
    const { origin } = new URL(checkout.returnUrl);
    return sendPage(reply, checkoutPage(language, request, checkout), [publicOrigin, origin]);
  });

  app.post<ById>("/sandbox-payments/checkout/:id", async (request, reply) => {
    const { id } = request.params;
    const { card } = parseBody(z.object({ card: CardName }), request.body);
    const next = await journal.run((tables) => {
      provider.press(tables, id, card);
      const pressed = known(tables.checkouts.get(id));
      const waits = provider.awaitsChallenge(tables, id);
      return waits ? `/sandbox-payments/challenge/${id}` : afterwards(pressed, id, provider);
    });
    return reply.redirect(withLanguage(next, request), 303);
  });
}

function addChallengePage(
  app: FastifyInstance,
  { journal, provider, publicOrigin }: PageParts,
): void {
  app.get<ById>("/sandbox-payments/challenge/:id", async (request, reply) => {
    const { id } = request.params;
    const { checkout, waits } = await journal.run((tables) => {
      const found = tables.checkouts.get(id);
      if (found === undefined) known(tables.payments.get(id));
      return { checkout: found, waits: provider.awaitsChallenge(tables, id) };
    });
    const language = pageLanguage(request, checkout?.language);
    const leaveTo = checkout?.cancelUrl ?? `${publicOrigin}/account/subscription`;
    const origins = [publicOrigin, ...(checkout ? [new URL(checkout.returnUrl).origin] : [])];
    return sendPage(reply, challengePage(language, request, { leaveTo, waits }), origins);
  });

  app.post<ById>("/sandbox-payments/challenge/:id", async (request, reply) => {
    const { id } = request.params;
    const { answer: given } = parseBody(
      z.object({ answer: z.enum(["approve", "refuse"]) }),
      request.body,
    );
    const next = await journal.run((tables) => {
      if (!tables.checkouts.get(id)) known(tables.payments.get(id));
      provider.answerChallenge(tables, id, given === "approve");
      const checkout = tables.checkouts.get(id);
      return checkout ? afterwards(checkout, id, provider) : `${publicOrigin}/account/subscription`;
    });
    return reply.redirect(withLanguage(next, request), 303);
  });
}

/** Where the browser goes next: back to the product once the checkout has ended. */
function afterwards(checkout: StoredCheckout, id: string, provider: Provider): string {
  if (provider.statusOf(checkout) !== "completed") return `/sandbox-payments/checkout/${id}`;
  const url = new URL(checkout.returnUrl);
  url.searchParams.set("checkout", id);
  return url.href;
}

const namedLanguage = (request: FastifyRequest): Locale | undefined =>
  localeOfTag(new URL(request.url, "http://server").searchParams.get("lang") ?? undefined);

function pageLanguage(request: FastifyRequest, own: Locale | undefined): Locale {
  return namedLanguage(request) ?? own ?? requestLanguage(request);
}

/** A language that was chosen here stays chosen on the sandbox's own pages. */
function withLanguage(next: string, request: FastifyRequest): string {
  const language = namedLanguage(request);
  return language !== undefined && next.startsWith("/") ? `${next}?lang=${language}` : next;
}

const pathOf = ({ url }: FastifyRequest): string => new URL(url, "http://server").pathname;
const link = (url: string, text: string): string =>
  `<p><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></p>`;

function checkoutPage(language: Locale, request: FastifyRequest, checkout: StoredCheckout): string {
  const t = texts[language];
  const { amount, description, failure, cancelUrl } = checkout;
  const due = amount
    ? `<p class="muted">${t.toPay}</p><p class="amount"><bdi>${escapeHtml(shownMoney(amount, language))}</bdi></p>`
    : `<p>${t.storeCard}</p>`;
  const failed = failure
    ? `<p class="failure" role="alert">${escapeHtml(t.failures[failure.reason])}</p>`
    : "";
  const groups = cardGroups.map((group) => cardGroup(group, language)).join("");
  const body = `<p dir="auto">${escapeHtml(description)}</p>${due}${failed}
<h2>${t.chooseCard}</h2>
<form method="post">${groups}</form>${link(cancelUrl, t.cancel)}`;
  return page(language, { title: t.title, path: pathOf(request), body });
}

function groupOf({ onPage, later, expires, after, answer }: TestCard): CardGroup {
  if (typeof onPage === "object") return "declined";
  if (onPage === "challenge") return "challenge";
  const always = later === "succeeds" && expires === "in-years";
  return always && after === undefined && answer === undefined ? "succeeds" : "later";
}

function cardGroup(group: CardGroup, language: Locale): string {
  const t = texts[language];
  const cards = cardNames
    .filter((name) => groupOf(testCards[name]) === group)
    .map((name) => cardButton(name, t.cards[name]));
  return `<h3 id="${group}">${t.groups[group]}</h3><ul aria-labelledby="${group}">${cards.join("")}</ul>`;
}

function cardButton(name: TestCardName, text: string): string {
  const { brand, last4 } = testCards[name];
  return `<li><button name="card" value="${name}"><span class="number">${brand} •••• ${last4}</span><span>${escapeHtml(text)}</span></button></li>`;
}

function challengePage(
  language: Locale,
  request: FastifyRequest,
  { leaveTo, waits }: { leaveTo: string; waits: boolean },
): string {
  const t = texts[language];
  const path = pathOf(request);
  if (!waits) {
    const body = `<p>${t.answeredExplained}</p>${link(leaveTo, t.back)}`;
    return page(language, { title: t.answered, path, body });
  }
  const body = `<p>${t.challengeExplained}</p>
<form method="post" class="choices"><button class="solid" name="answer" value="approve">${t.approve}</button>
<button class="line" name="answer" value="refuse">${t.refuse}</button></form>${link(leaveTo, t.leave)}`;
  return page(language, { title: t.challengeTitle, path, body });
}

function endedPage(language: Locale, request: FastifyRequest, backTo: string): string {
  const t = texts[language];
  const body = `<p>${t.endedExplained}</p>${link(backTo, t.back)}`;
  return page(language, { title: t.ended, path: pathOf(request), body });
}
