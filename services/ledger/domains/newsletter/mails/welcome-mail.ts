import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";

import type { NewsletterLinks } from "../links.ts";
import type { Subscriber } from "../read-subscriber.ts";
import { newsletterWords } from "./newsletter-words.ts";

/** Greets a subscriber who has just confirmed: what comes next, and how to leave. */
export function welcomeMail({ id, state, email }: Subscriber, links: NewsletterLinks): Mail {
  const { language, tags, frequency } = state.asked;
  const spoken = newsletterWords[language];
  const words = tags.includes("waitlist") ? spoken.welcomeWaitlist : spoken.welcomeNewsletter;
  return {
    id: `newsletter-welcome-${id}-${state.mail}`,
    to: { address: email },
    subject: words.subject,
    language,
    automatic: true,
    unsubscribe: { url: links.unsubscribe(id) },
    ...renderMail({
      language,
      title: words.title,
      preheader: words.preheader,
      blocks: [
        { kind: "paragraph", text: words.opening },
        { kind: "paragraph", text: words.next },
        { kind: "list", items: words.steps },
        { kind: "paragraph", text: spoken.rhythm[frequency] },
      ],
      footer: [
        {
          kind: "small",
          text: spoken.whyReceived,
          link: { label: spoken.manage, url: links.manage(id) },
        },
      ],
    }),
  };
}
