import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exampleAccount, rightPassword } from "../account-answers.ts";
import { faultsAtWidths, visitAccount } from "../account-visitor.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { PrivacyAnswers } from "../privacy-answers.ts";
import { texts } from "../texts.ts";

/** The page of privacy, and the banner of a scheduled deletion: the calls are answered by the journey. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const path = "/account/privacy";

async function visit(language: Language, prepare: (answers: PrivacyAnswers) => void = () => {}) {
  const colorScheme = language === "en" ? "light" : "dark";
  const visited = await visitAccount(stack, "/login", { language, colorScheme });
  const { page } = visited;
  const privacy = new PrivacyAnswers();
  prepare(privacy);
  await privacy.takeOver(page.context());
  await page.goto(path);
  await page.locator("#privacy-elsewhere").waitFor();
  const part = (name: string) => page.locator(`section[aria-labelledby=privacy-${name}]`);
  const press = (name: string, within = "main") =>
    page.locator(within).getByRole("button", { name, exact: true }).press("Enter");
  const confirm = async () => {
    await page.getByRole("dialog").locator("[name=password]").fill(rightPassword);
    await page.getByRole("dialog").locator("[name=password]").press("Enter");
  };
  return { ...visited, privacy, part, press, confirm };
}

describe.each<Language>(["en"])("in %s", (language) => {
  const { account, privacy: text } = texts[language];

  test("a deletion is scheduled with the address retyped, shown on every page, and cancelled", async () => {
    const { visitor, page, privacy, part, press, confirm } = await visit(language);
    await press(text.delete.begin);
    await page.getByRole("heading", { name: text.delete.form }).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await part("delete").locator("[name=email]").fill("other@example.com");
    await press(text.delete.submit);
    await part("delete").getByText(text.errors.emailDiffers).last().waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);

    privacy.stepUpDue = true;
    await part("delete").locator("[name=email]").fill(exampleAccount.email);
    await part("delete").locator("[name=reason]").fill("עבודה חדשה, new job");
    await press(text.delete.submit);
    await confirm();
    await part("delete").getByText(text.delete.daysLeft_other.replace("{{count}}", "30")).waitFor();
    const restrictions = await part("delete").getByRole("listitem").allTextContents();
    expect(restrictions).toEqual(Object.values(text.delete.restrictions));
    expect(await faultsAtWidths(page)).toEqual([]);

    await page.goto("/account/profile");
    const banner = page.getByRole("complementary", { name: text.banner.label });
    await banner.getByText(text.banner.left_other.replace("{{count}}", "30")).waitFor();
    expect(await banner.innerText()).toContain(text.banner.restricted);
    expect(await faultsAtWidths(page)).toEqual([]);
    await banner.getByRole("link", { name: text.banner.cancel }).press("Enter");
    await press(text.delete.cancel);
    await part("requests").getByText(text.requests.outcome.cancelled).waitFor();
    await banner.waitFor({ state: "detached" });
    await part("delete").getByRole("button", { name: text.delete.begin }).waitFor();
    expect(visitor.noise.filter((line) => !/40[34]|422/u.test(line))).toEqual([]);
    await visitor.leave();
  });

  test("the remaining days are given up, and nothing can be cancelled any more", async () => {
    const { visitor, page, part, press } = await visit(language);
    await press(text.delete.begin);
    await press(text.delete.keep);
    await press(text.delete.begin);
    await part("delete").locator("[name=email]").fill(exampleAccount.email);
    await press(text.delete.submit);
    await press(text.delete.waive);
    await page.getByRole("heading", { name: text.delete.waiveTitle, exact: true }).waitFor();
    await part("delete").locator("[name=email]").fill(exampleAccount.email);
    await press(text.delete.waiveSubmit);
    const begun = text.requests.next.erasing.split("{{date}}")[1] ?? "";
    await part("delete").getByText(begun).waitFor();
    expect(await part("delete").getByRole("button").count()).toBe(0);
    expect(await faultsAtWidths(page)).toEqual([]);
    await visitor.leave();
  });

  test("a copy is asked for, withdrawn, asked for again, and downloaded by who signed in anew", async () => {
    const { visitor, page, privacy, part, press, confirm } = await visit(language);
    await press(text.export.submit);
    await part("export").getByText(text.export.open).waitFor();
    const withdraw = part("requests").getByRole("button", { name: text.requests.withdraw });
    await withdraw.press("Enter");
    await part("requests").getByText(text.requests.outcome.withdrawn).waitFor();
    expect(await withdraw.count()).toBe(0);
    privacy.instead.set("access", 503);
    await press(text.export.submit);
    await part("export").getByText(text.errors.exportFailed).last().waitFor();
    privacy.instead.clear();
    await press(text.export.submit);
    await withdraw.waitFor();
    privacy.makeReady();
    privacy.stepUpDue = true;
    await page.reload();
    const download = page.waitForEvent("download");
    await part("requests")
      .getByRole("button", { name: text.requests.download, exact: true })
      .first()
      .press("Enter");
    await confirm();
    expect((await download).suggestedFilename()).toBe("pro-talent-data.zip");
    expect(await faultsAtWidths(page)).toEqual([]);
    expect(visitor.noise.filter((line) => !/403|503/u.test(line))).toEqual([]);
    await visitor.leave();
  });

  test("a correction names only what differs, one is reviewed at a time, and a denied field has its reason", async () => {
    const { visitor, page, privacy, part, press } = await visit(language);
    await press(text.correct.submit);
    await part("correct").getByText(text.errors.unchanged).last().waitFor();
    await part("correct").locator("[name=fullName]").fill("");
    await press(text.correct.submit);
    await part("correct").getByText(account.errors.nameRequired).last().waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await part("correct").locator("[name=fullName]").fill("נועה Levi");
    await press(text.correct.submit);
    await part("correct").getByText(text.correct.open).waitFor();
    expect(privacy.bodies).toEqual([{ fields: { fullName: "נועה Levi" } }]);
    privacy.correctInPart();
    await page.reload();
    await part("requests").getByText(text.requests.partly["fields-denied"]).waitFor();
    const denied = `${text.correct.address}: ${text.requests.reasons["claim-not-covered"]}`;
    await part("requests").getByText(denied, { exact: true }).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("in %s", (language) => {
  const { account, privacy: text } = texts[language];

  test("a hold is shown, and leaves cancelling possible", async () => {
    const { visitor, page, privacy, part, press } = await visit(language);
    await press(text.delete.begin);
    await part("delete").locator("[name=email]").fill(exampleAccount.email);
    await press(text.delete.submit);
    await part("delete").getByRole("button", { name: text.delete.waive }).waitFor();
    privacy.hold();
    await page.reload();
    await part("delete").getByText(text.requests.next.held).waitFor();
    expect(await part("delete").getByRole("button").allTextContents()).toEqual([
      text.delete.cancel,
    ]);
    expect(await faultsAtWidths(page)).toEqual([]);
    await visitor.leave();
  });

  test("each consent has its receipt", async () => {
    const { visitor, page, part, privacy } = await visit(language);
    const row = part("consents").getByRole("row", { name: text.consents.subjects.terms });
    await row.getByText("2026-03-01").waitFor();
    const download = page.waitForEvent("download");
    await row.getByRole("button").press("Enter");
    expect((await download).suggestedFilename()).toBe("consent-7b9d6bcd.json");
    expect(await faultsAtWidths(page)).toEqual([]);
    privacy.instead.set("receipt", 503);
    await row.getByRole("button").press("Enter");
    await part("consents").getByText(text.consents.failed).waitFor();
    await visitor.leave();
  });

  test("what is held opens section by section, and says what could not be read", async () => {
    const { visitor, page, part } = await visit(language, (answers) => {
      answers.held = { ...answers.held, missing: ["newsletter"] };
    });
    await part("held").locator("summary").first().press("Enter");
    await part("held").getByText("Noa Levi נועה לוי").waitFor();
    await part("held").getByText(text.held.words.he, { exact: true }).waitFor();
    await part("held").locator("summary").last().press("Enter");
    await part("held").getByText(text.held.unreadable).waitFor();
    const { newsletter } = text.held.sections;
    await part("held").getByText(text.held.missing.replace("{{sections}}", newsletter)).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await visitor.leave();
  });

  test("a new account has no request, and what fails says so in its own words", async () => {
    const { visitor, page, privacy, part, press } = await visit(language, (answers) => {
      answers.held = { sections: [], missing: [] };
    });
    await part("held").getByText(text.held.empty, { exact: true }).waitFor();
    await part("requests").getByText(text.requests.empty, { exact: true }).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    for (const call of ["delete", "cancel-deletion"]) privacy.instead.set(call, 404);
    await press(text.delete.begin);
    await part("delete").locator("[name=email]").fill(exampleAccount.email);
    await press(text.delete.submit);
    await part("delete").getByText(text.errors.deleteFailed).waitFor();
    privacy.instead.delete("delete");
    await press(text.delete.submit);
    await press(text.delete.cancel);
    await part("delete").getByText(text.errors.cancelDeletionFailed).waitFor();
    privacy.instead.set("requests", 404).set("held", 404);
    await page.reload();
    await part("requests").getByText(account.view.failed).first().waitFor();
    await part("held").getByText(account.view.failed).first().waitFor();
    privacy.instead.set("requests", 403);
    await page.reload();
    await part("requests").getByText(account.view.denied).first().waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await visitor.leave();
  });
});
