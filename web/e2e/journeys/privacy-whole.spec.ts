import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import { unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

import { type Demo, makeDemo } from "../../../infra/embedded/demo-world.ts";
import { productServices } from "../../../infra/embedded/services/product-services.ts";
import { codeOf } from "../authenticator-code.ts";
import { type Language, type OwnStack, startOwnStack, type Visitor } from "../fixtures.ts";
import { texts } from "../texts.ts";

/** A copy and a correction from the request to what its holder gets, through the whole product. */
let stack: OwnStack;
let demo: Demo;
let officer: Visitor;
beforeAll(async () => {
  stack = await startOwnStack();
  demo = await makeDemo(stack.dataDir, productServices);
  officer = await stack.visit();
  const person = demo.people.find(({ name }) => name === "officer");
  await givePassword(officer.page, person?.email ?? "");
  const code = officer.page.locator("[name=code]");
  await code.fill(codeOf(Buffer.from(person?.totpSecret ?? "", "hex")));
  await code.press("Enter");
  await officer.page.waitForURL("**/dashboard");
}, 120_000);
afterAll(() => stack.stop());

const button = (page: Page, name: string) =>
  page.locator("main").getByRole("button", { name, exact: true });

async function givePassword(page: Page, email: string): Promise<void> {
  await page.goto("/login");
  await page.locator("[name=email]").fill(email);
  await page.locator("[name=password]").fill(demo.password);
  await page.locator("[name=password]").press("Enter");
}

/** The officer opens the only request that waits, takes it and approves it: three presses. */
async function approve(language: Language): Promise<void> {
  const text = texts[language]["privacy-console"];
  const { page } = officer;
  await page.goto(`/console/privacy?lang=${language}`);
  await page.getByRole("table").getByRole("link").press("Enter");
  await button(page, text.decide.claim).press("Enter");
  await button(page, text.decide.approve).press("Enter");
  await page.getByText(text.decide.nothing).waitFor();
}

const Keys = z.object({ keys: z.array(z.string()).min(1) });

/** Unpacks a package and lets the program in it verify it: what it prints, or its faults. */
async function verifyPackage(file: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "package-"));
  try {
    for (const [path, content] of Object.entries(unzipSync(await readFile(file)))) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), content);
    }
    const answer: unknown = await (await fetch(`${stack.origin}/api/privacy/keys`)).json();
    const [key = ""] = Keys.parse(answer).keys;
    const args = [join(directory, "verify.mjs"), join(directory, "manifest.json"), key];
    return (await promisify(execFile)(process.execPath, args)).stdout;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const mailed = (email: string, subject: string): Promise<void> =>
  expect
    .poll(async () => (await stack.mail.to(email)).map((mail) => mail.subject), { timeout: 30_000 })
    .toContain(subject);

const mails = {
  en: {
    received: "We have received your privacy request",
    ready: "The copy of your data is ready",
    corrected: "Your data has been corrected",
  },
  he: {
    received: "בקשת הפרטיות שלך התקבלה",
    ready: "העותק של הנתונים שלך מוכן",
    corrected: "הנתונים שלך תוקנו",
  },
} as const;

test.each([
  ["en", "premium"],
  ["he", "free"],
] as const)(
  "in %s a copy is asked for, mailed about, approved in three presses, downloaded and verified offline, then a correction",
  async (language, name) => {
    const { privacy: text } = texts[language];
    const email = `${name}@demo.example`;
    const holder = await stack.visit({ language });
    const { page } = holder;
    await givePassword(page, email);
    await page.waitForURL("**/dashboard");
    await page.goto(`/account/privacy?lang=${language}`);
    await button(page, text.export.submit).press("Enter");
    await page.getByText(text.export.open).waitFor();
    await mailed(email, mails[language].received);
    await approve(language);
    await mailed(email, mails[language].ready);
    await page.reload();
    const download = page.waitForEvent("download");
    await button(page, text.requests.download).press("Enter");
    const saved = await (await download).path();
    expect(await verifyPackage(saved)).toContain("genuine: data package");
    await page.reload();

    await page.locator("[name=fullName]").fill("נועה Levi-Cohen");
    await button(page, text.correct.submit).press("Enter");
    await page.getByText(text.correct.open).waitFor();
    await approve(language);
    await mailed(email, mails[language].corrected);
    await page.goto("/account/profile");
    await expect.poll(() => page.locator("[name=fullName]").inputValue()).toBe("נועה Levi-Cohen");
    expect(holder.noise).toEqual([]);
    await holder.leave();
  },
);
