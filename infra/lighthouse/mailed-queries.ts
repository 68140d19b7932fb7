import {
  newsletterPages,
  newsletterPaths,
  subscribePath,
  subscriptionDefaults,
} from "@pro-talent/schemas/newsletter/categories";
import type { SubscribeRequest } from "@pro-talent/schemas/newsletter/calls";

import { mailbox } from "../embedded/mail/testing/mailbox.ts";

const email = "reader@example.com";

async function post(url: URL, body: object): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url.pathname} answers ${answer.status}`);
}

/** The query with which a mail's text leads to a page. */
function queryIn(text: string, path: string): string {
  const links = (text.match(/https?:\/\/[^\s<>]+/g) ?? []).map((link) => new URL(link));
  const found = links.find(({ pathname }) => pathname === path);
  if (found === undefined) throw new Error(`no link to ${path} in the mail`);
  return found.search;
}

/**
 * The queries of the pages that only mails lead to, by their paths, as a new reader gets them: such
 * a page without its token, or with a made-up one, is not what its visitors see.
 */
export async function mailedQueries(origin: string, webUrl: string): Promise<Map<string, string>> {
  const { mailTo, empty } = mailbox(webUrl);
  const wish: SubscribeRequest = {
    email,
    language: "en",
    sourceContext: "footer_form",
    consentText: "I agree to receive newsletter updates.",
    preferences: { frequency: "weekly", topics: ["updates", "features"] },
    tags: [...subscriptionDefaults.footer_form.tags],
  };
  await post(new URL(subscribePath, origin), wish);
  const confirm = queryIn((await mailTo(email)).text, newsletterPages.confirm);
  await empty();
  const token = new URLSearchParams(confirm).get("token");
  await post(new URL(newsletterPaths.confirm, origin), { token });
  const preferences = queryIn((await mailTo(email)).text, newsletterPages.preferences);
  return new Map([
    [newsletterPages.confirm, confirm],
    [newsletterPages.preferences, preferences],
  ]);
}
