import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { SubscribeRequest } from "@pro-talent/schemas/newsletter/calls";
import {
  newsletterPages,
  newsletterPaths,
  subscribePath,
  subscriptionDefaults,
} from "@pro-talent/schemas/newsletter/categories";

import { mailbox } from "../embedded/mail/testing/mailbox.ts";
import { mustPost } from "../faults/visits.ts";

const documents = fileURLToPath(new URL("../../web/dist/en", import.meta.url));

/** A public page; one that asks search engines to leave it out is not judged by how they find it. */
export type PublicPage = { path: string; listed: boolean };

/** Documents that have no address of their own: for unknown paths, and of the signed-in area. */
const withoutAddress: ReadonlySet<string> = new Set(["404.html", "signed-in.html"]);

/** Every public page of the built site. */
export async function publicPages(): Promise<PublicPage[]> {
  const entries = await readdir(documents, { recursive: true, withFileTypes: true });
  const files = entries
    .filter(({ name }) => name.endsWith(".html") && !withoutAddress.has(name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return Promise.all(
    files.map(async (file) => {
      const path = file.slice(documents.length, -".html".length);
      const listed = !(await readFile(file, "utf8")).includes('content="noindex');
      return { path: path === "/index" ? "/" : path, listed };
    }),
  );
}

const email = "reader@example.com";

/**
 * The queries of the pages that only mails link to, by their paths, as a new subscriber receives
 * them: without its token, or with an invented one, such a page shows an error.
 */
export async function mailedQueries(origin: string, webUrl: string): Promise<Map<string, string>> {
  const { mailTo, empty } = mailbox(webUrl);
  const request: SubscribeRequest = {
    email,
    language: "en",
    sourceContext: "footer_form",
    consentText: "I agree to receive newsletter updates.",
    preferences: { frequency: "weekly", topics: ["updates", "features"] },
    tags: [...subscriptionDefaults.footer_form.tags],
  };
  await mustPost(origin + subscribePath, request);
  const confirm = queryIn((await mailTo(email)).text, newsletterPages.confirm);
  await empty();
  const token = new URLSearchParams(confirm).get("token");
  await mustPost(origin + newsletterPaths.confirm, { token });
  const preferences = queryIn((await mailTo(email)).text, newsletterPages.preferences);
  return new Map([
    [newsletterPages.confirm, confirm],
    [newsletterPages.preferences, preferences],
  ]);
}

/** The query with which a mail's text links to a page. */
function queryIn(text: string, path: string): string {
  const links = (text.match(/https?:\/\/[^\s<>]+/g) ?? []).map((link) => new URL(link));
  const found = links.find(({ pathname }) => pathname === path);
  if (found === undefined) throw new Error(`no link to ${path} in the mail`);
  return found.search;
}
