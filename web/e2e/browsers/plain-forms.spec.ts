import { newsletterPages } from "@pro-talent/schemas/newsletter/categories";
import { afterAll, beforeAll, describe, inject, test } from "vitest";

import { linkIn } from "../mail-box.ts";
import { texts } from "../texts.ts";
import { expectNoFaults, openSite, type Site } from "./site.ts";

const answer = ".answer__section:target h2";
/** Firefox reports each script that was refused. */
const refused = /\.js/u;

describe.each(["en", "he"] as const)("without scripts in %s", (language) => {
  const say = texts[language];
  const address = `plain-${language}-${inject("engine")}@example.com`;
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ language, scripts: false });
  });
  afterAll(() => site.close());

  test("a contact message arrives", async () => {
    const tab = await site.visit();
    await tab.goto("/contact");
    await tab.type("#contact-name", "Noa");
    await tab.type("#contact-email", address);
    await tab.choose("#contact-category", "bug");
    await tab.type("#contact-message", "The page does not open.");
    await tab.click(".contact-form [type=submit]");
    await tab.shows(answer, say.answer.contactReceived.title);
    await site.mail.waitFor(address);
    await expectNoFaults(tab, refused);
  });

  test.each([
    ["newsletter", "/about"],
    ["waitlist", "/signup"],
  ])("the %s is subscribed to by its mail", async (form, path) => {
    const tab = await site.visit();
    await tab.goto(path);
    const subscriber = `${form}-${address}`;
    await tab.type(`.${form}-form [name=email]`, subscriber);
    await tab.click(`.${form}-form [name=consentText]`);
    await tab.click(`.${form}-form [type=submit]`);
    await tab.shows(answer, say.answer.subscribeSent.title);
    const link = new URL(linkIn(await site.mail.waitFor(subscriber), newsletterPages.confirm));
    await tab.goto(link.pathname + link.search);
    await tab.click(".confirm-form [type=submit]");
    await tab.arrivedAt("/newsletter/confirmed");
    await expectNoFaults(tab, refused);
  });

  test("the language is switched", async () => {
    const tab = await site.visit();
    const other = language === "en" ? "he" : "en";
    await tab.goto("/about");
    await tab.click("header button", say.shell.language[other]);
    await tab.shows("main h1", texts[other].about.title);
    await expectNoFaults(tab, refused);
  });
});
