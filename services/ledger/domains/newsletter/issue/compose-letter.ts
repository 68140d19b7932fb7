import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { v5 as uuidV5 } from "uuid";

import type { Issue, IssueLetter } from "./issue.ts";
import { letterHtml } from "./letter-html.ts";
import { letterText } from "./letter-text.ts";
import { readLetter } from "./letter-tree.ts";
import { letterWords } from "./letter-words.ts";

/** Who a letter goes to, and the links that are only theirs. */
export type IssueReader = {
  readonly email: string;
  readonly language: Locale;
  /** The page for changing preferences. */
  readonly manageUrl: string;
  /** What mail programs post to for unsubscribing with one click. */
  readonly unsubscribeUrl: string;
};

type Body = { html: string; text: string };

/**
 * Makes an issue's letters. What was written is read once; a reader's letter differs by language and
 * links only. Nothing in it reports that it was opened, and its links are those that were written.
 * @param origin of the site, as in `https://example.com`
 */
export function createComposer(
  issue: Issue,
  origin: string,
): (id: string, reader: IssueReader) => Mail {
  const bodies: Readonly<Record<Locale, Body>> = {
    en: bodyOf(issue.letters.en, origin),
    he: bodyOf(issue.letters.he, origin),
  };
  return (id, reader) => {
    const { language, email, manageUrl, unsubscribeUrl } = reader;
    const { subject, preheader } = issue.letters[language];
    const words = letterWords[language];
    const { html, text } = renderMail({
      language,
      title: subject,
      preheader,
      blocks: [{ kind: "html", ...bodies[language] }],
      footer: [
        { kind: "small", text: words.why },
        {
          kind: "small",
          text: words.preferences,
          link: { label: words.preferencesLink, url: manageUrl },
        },
        {
          kind: "small",
          text: words.unsubscribe,
          link: { label: words.unsubscribeLink, url: unsubscribeUrl },
        },
      ],
    });
    return {
      id,
      to: { address: email },
      subject,
      html,
      text,
      language,
      unsubscribe: { url: unsubscribeUrl },
    };
  };
}

/** A letter's id follows from issue and reader: a repeated attempt is the same mail. */
export function letterId(issueId: string, subscriberId: string): string {
  return uuidV5(subscriberId, issueId);
}

function bodyOf({ markdown }: IssueLetter, origin: string): Body {
  const nodes = readLetter(markdown, origin);
  return { html: letterHtml(nodes), text: letterText(nodes) };
}
