import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { newsletterPages } from "@pro-talent/schemas/newsletter/categories";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { linkIn } from "../mail-box.ts";
import { texts } from "../texts.ts";
import { eventually, expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

/** Mailboxes are shared by all journeys, so each writer has an address of its own. */
const addressOf = (writer: string, language: string): string =>
  `${writer}-${language}-${inject("engine")}@example.com`;

describe.each(["en", "he"] as const)("forms in %s", (language) => {
  const say = texts[language];
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ language });
  });
  afterAll(() => site.close());

  const openDecided = async (path: string): Promise<Visitor> => {
    const visitor = await site.visit({ decided: true });
    await visitor.open(path);
    return visitor;
  };

  const confirm = async (visitor: Visitor, address: string): Promise<void> => {
    const link = new URL(linkIn(await site.mail.waitFor(address), newsletterPages.confirm));
    await visitor.open(link.pathname + link.search);
    await visitor.click(".confirm-form [type=submit]", say.confirm.idle.confirm);
    await visitor.arrivedAt("/newsletter/confirmed");
    await visitor.shows(".confirmed__address bdi", address);
  };

  test("the contact form names each error, then sends, and its mails arrive", async () => {
    const { form, errors } = say.contact;
    const address = addressOf("contact", language);
    const visitor = await openDecided("/contact");
    await visitor.tabTo(".contact-form [type=submit]");
    await visitor.press("Enter");
    const due = [
      errors.nameRequired,
      errors.emailRequired,
      errors.subjectRequired,
      errors.messageRequired,
    ];
    await visitor.shows(".contact-form .field__error", ...due);
    await visitor.hasFocus(".error-summary");
    await visitor.press("Tab");
    await visitor.press("Enter");
    await visitor.hasFocus("#contact-name");
    const begun = performance.now();
    await visitor.type("#contact-name", "נועה Noa");
    await visitor.type("#contact-email", address);
    await visitor.choose("#contact-category", "other");
    await visitor.type("#contact-subject", "A question");
    await visitor.type("#contact-message", `Written by ${address}.`);
    await visitor.hides(".contact-form .field__error");
    // A message that was written faster than a person can is held back.
    await eventually(() =>
      expect(performance.now() - begun).toBeGreaterThan(contactLimits.writingMsMin),
    );
    await visitor.click(".contact-form [type=submit]");
    await visitor.shows(".contact-form .notice--success", form.success);
    await visitor.hasFocus(".notice--success");
    await site.mail.waitFor(address);
    await expectNoFaults(visitor);
  });

  test("the newsletter form leads by its mail to a confirmed address", async () => {
    const address = addressOf("newsletter", language);
    const visitor = await openDecided("/about");
    await visitor.type(".newsletter-form [name=email]", address);
    await visitor.click(".newsletter-form [name=consentText]");
    await visitor.click(".newsletter-form [type=submit]");
    await visitor.shows(".newsletter-form .notice--success", say.newsletter.footer.subscribed);
    await confirm(visitor, address);
    await site.mail.waitFor(address, 2);
    await expectNoFaults(visitor);
  });

  test("the waitlist is joined by keyboard, and refuses an address that is on it", async () => {
    const address = addressOf("waitlist", language);
    const visitor = await openDecided("/signup");
    await visitor.type(".waitlist-form [name=email]", address);
    await visitor.tabTo(".waitlist-form [name=consentText]");
    await visitor.press("Space");
    await visitor.tabTo(".waitlist-form [type=submit]");
    await visitor.press("Enter");
    await visitor.shows(".waitlist-form .notice--success", say.waitlist.success);
    await confirm(visitor, address);
    await visitor.open("/signup");
    await visitor.type(".waitlist-form [name=email]", address);
    await visitor.click(".waitlist-form [name=consentText]");
    await visitor.click(".waitlist-form [type=submit]");
    await visitor.shows(".waitlist-form .notice--error", say.newsletter.errors.alreadySubscribed);
    await expectNoFaults(visitor, /409/u);
  });
});
