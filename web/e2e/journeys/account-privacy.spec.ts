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
  await page.locator("#privacy-consents").waitFor();
  const part = (name: string) => page.locator(`section[aria-labelledby=privacy-${name}]`);
  const press = (name: string, within = "main") =>
    page.locator(within).getByRole("button", { name, exact: true }).press("Enter");
  const confirm = async () => {
    await page.getByRole("dialog").locator("[name=password]").fill(rightPassword);
    await page.getByRole("dialog").locator("[name=password]").press("Enter");
  };
  return { ...visited, privacy, part, press, confirm };
}

describe.each(["en", "he"] as const)("in %s", (language) => {
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
    expect(await faultsAtWidths(page)).toEqual([]);

    await page.goto("/account/profile");
    const banner = page.getByRole("complementary", { name: text.banner.label });
    await banner.getByText(text.banner.left_other.replace("{{count}}", "30")).waitFor();
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

  test("a copy is asked for once, and downloaded after a confirmation", async () => {
    const { visitor, page, privacy, part, press, confirm } = await visit(language);
    await press(text.export.submit);
    await part("export").getByText(text.export.open).waitFor();
    await part("requests").getByText(text.requests.steps.verified).waitFor();
    privacy.completeCopy();
    await page.reload();
    privacy.stepUpDue = true;
    const download = page.waitForEvent("download");
    await press(text.requests.download);
    await confirm();
    expect((await download).suggestedFilename()).toBe("pro-talent-data.zip");
    expect(await faultsAtWidths(page)).toEqual([]);
    await visitor.leave();
  });

  test("a correction names the fields that differ, and is withdrawn", async () => {
    const { visitor, privacy, part, press } = await visit(language);
    await press(text.correct.submit);
    await part("correct").getByText(text.errors.unchanged).waitFor();
    await part("correct").locator("[name=fullName]").fill("נועה לוי־כהן");
    await press(text.correct.submit);
    await part("correct").getByText(text.correct.open).waitFor();
    expect(privacy.correction).toEqual({ fullName: "נועה לוי־כהן" });
    await press(text.requests.withdraw);
    await part("requests").getByText(text.requests.outcome.withdrawn).waitFor();
    await visitor.leave();
  });

  test("what is held opens section by section, and a receipt is downloaded", async () => {
    const { visitor, page, part } = await visit(language, (answers) => {
      answers.missing = ["visits"];
    });
    await part("held").locator("summary").first().press("Enter");
    await part("held").getByText("Noa Levi נועה לוי").waitFor();
    await part("held").getByText(text.held.unreadable).waitFor();
    await part("held")
      .getByText(text.held.missing.replace("{{sections}}", text.held.sections.visits))
      .waitFor();
    const download = page.waitForEvent("download");
    await part("consents").getByRole("button").press("Enter");
    expect((await download).suggestedFilename()).toMatch(/^consent-.*\.json$/u);
    expect(await faultsAtWidths(page)).toEqual([]);
    await visitor.leave();
  });

  test("a new account is empty, and what fails says so in its own words", async () => {
    const { visitor, page, privacy, part, press } = await visit(language, (answers) => {
      answers.isNew = true;
    });
    for (const [name, empty] of [
      ["held", text.held.empty],
      ["requests", text.requests.empty],
      ["consents", text.consents.empty],
    ] as const)
      await part(name).getByText(empty, { exact: true }).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);

    for (const call of ["access", "correct", "delete", "cancel-deletion"])
      privacy.instead.set(call, 404);
    await press(text.export.submit);
    await part("export").getByText(text.errors.exportFailed).waitFor();
    await part("correct").locator("[name=phone]").fill("+972 50 123 4567");
    await press(text.correct.submit);
    await part("correct").getByText(text.errors.correctFailed).waitFor();
    await press(text.delete.begin);
    await part("delete").locator("[name=email]").fill(exampleAccount.email);
    await press(text.delete.submit);
    await part("delete").getByText(text.errors.deleteFailed).waitFor();
    privacy.instead.delete("delete");
    await press(text.delete.submit);
    await press(text.delete.cancel);
    await part("delete").getByText(text.errors.cancelDeletionFailed).waitFor();

    privacy.instead.set("held", 404).set("requests", 403).set("consents", 404);
    await page.reload();
    await part("held").getByText(account.view.failed).first().waitFor();
    await part("requests").getByText(account.view.denied).first().waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await visitor.leave();
  });
});
