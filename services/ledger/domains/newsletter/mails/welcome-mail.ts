import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";

import type { MailLinks } from "../mail-tokens.ts";
import type { Subscriber } from "../subscribers.ts";
import { newsletterTexts } from "./newsletter-texts.ts";

/** Greets a subscriber who has just confirmed: what comes next, and how to leave. */
export function welcomeMail({ id, state, email }: Subscriber, links: MailLinks): Mail {
  const { language, tags, frequency } = state.asked;
  const texts = newsletterTexts[language];
  const own = tags.includes("waitlist") ? texts.welcomeWaitlist : texts.welcomeNewsletter;
  return {
    id: `newsletter-welcome-${id}-${state.mail}`,
    to: { address: email },
    subject: own.subject,
    language,
    automatic: true,
    unsubscribe: { url: links.unsubscribe(id) },
    ...renderMail({
      language,
      title: own.title,
      preheader: own.preheader,
      blocks: [
        { kind: "paragraph", text: own.opening },
        { kind: "paragraph", text: own.next },
        { kind: "list", items: own.steps },
        { kind: "paragraph", text: texts.rhythm[frequency] },
      ],
      footer: [
        {
          kind: "small",
          text: texts.whyReceived,
          link: { label: texts.manage, url: links.manage(id) },
        },
      ],
    }),
  };
}
