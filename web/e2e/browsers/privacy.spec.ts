import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { texts } from "../texts.ts";
import { joinAccount } from "./join-account.ts";
import { eventually, expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

describe.each(["en", "he"] as const)("the privacy page of an account in %s", (language) => {
  const { privacy: text } = texts[language];
  const email = `privacy-${language}-${inject("engine")}@example.com`;
  let site: Site;
  let holder: Visitor;
  beforeAll(async () => {
    site = await openSite({ language });
    holder = await site.visit({ decided: true });
    await joinAccount(site, holder, { language, email, password: "seven grey herons at noon" });
  });
  afterAll(() => site.close());

  const reads = (part: string, words: string) =>
    eventually(async () =>
      expect((await holder.texts(`section[aria-labelledby=${part}]`)).join("")).toContain(words),
    );

  test("shows what is held, and takes requests for a copy and a correction", async () => {
    await holder.goto("/account/privacy");
    await holder.click("section[aria-labelledby=privacy-held] summary");
    await reads("privacy-held", email);
    await holder.click("section[aria-labelledby=privacy-export] button", text.export.submit);
    await reads("privacy-export", text.export.open);
    await holder.click("section[aria-labelledby=privacy-requests] button");
    await reads("privacy-requests", text.requests.outcome.withdrawn);
    await holder.type("section[aria-labelledby=privacy-correct] [name=phone]", "03-1234567");
    await holder.press("Enter");
    await reads("privacy-correct", text.correct.open);
    await expectNoFaults(holder);
  });

  test("schedules the deletion with the address retyped, says so on every page, and cancels it", async () => {
    await holder.goto("/account/privacy");
    await holder.click("section[aria-labelledby=privacy-delete] button", text.delete.begin);
    await holder.type("section[aria-labelledby=privacy-delete] [name=email]", email);
    await holder.press("Enter");
    await reads("privacy-delete", text.delete.daysLeft_other.replace("{{count}}", "30"));
    await holder.goto("/account/profile");
    const left = text.banner.left_other.replace("{{count}}", "30");
    await eventually(async () =>
      expect((await holder.texts(".deletion-banner")).join("")).toContain(left),
    );
    await holder.click(".deletion-banner a", text.banner.cancel);
    await holder.arrivedAt("/account/privacy");
    await holder.click("section[aria-labelledby=privacy-delete] button", text.delete.cancel);
    await reads("privacy-requests", text.requests.outcome.cancelled);
    await expectNoFaults(holder);
  });
});
