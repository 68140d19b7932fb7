import type { Launch } from "@pro-talent/schemas/site/launch";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { afterEach, expect, test, vi } from "vitest";

// Other files of the worker share its modules.
afterEach(() => {
  vi.doUnmock("@pro-talent/schemas/site/launch");
  vi.resetModules();
});

async function rendered(state: Launch["state"]): Promise<string> {
  vi.resetModules();
  vi.doMock("@pro-talent/schemas/site/launch", async (original) => ({
    ...(await original<object>()),
    launch: { state },
  }));
  const { createTranslator, loadTranslations } = await import("../../i18n/translations.ts");
  await import("../../i18n/public-texts.ts");
  const { PlanTable } = await import("./plan-table.tsx");
  const translator = createTranslator("en");
  await loadTranslations(translator, "en", ["shell", "plans"]);
  return renderToStaticMarkup(
    <I18nextProvider i18n={translator}>
      <PlanTable headingLevel={3} />
    </I18nextProvider>,
  );
}
const count = (html: string, part: RegExp): number => html.match(part)?.length ?? 0;

test("before the launch no plan can be chosen, and each button says why", async () => {
  const html = await rendered("waitlist");
  const reason = /<p class="plan-table__reason" id="([^"]+)">/u.exec(html)?.[1] ?? "none";
  const buttons = html.match(/<button[^>]*disabled[^>]*>Coming Soon/gu) ?? [];
  expect(buttons).toHaveLength(3);
  expect(buttons.filter((button) => button.includes(` ${reason}"`))).toHaveLength(3);
  expect(html).not.toContain("/join");
});

test("once it is open every plan leads to the registration, a paid one then to its checkout", async () => {
  const html = await rendered("open");
  expect(count(html, /href="\/join"/gu)).toBe(1);
  for (const plan of ["essential", "premium"])
    expect(html).toContain(`/join?next=%2Fcheckout%3Fplan%3D${plan}%26cycle%3Dmonthly`);
  expect(count(html, /<button[^>]*disabled/gu)).toBe(0);
  expect(html).not.toContain("plan-table__reason");
});

test.each(["waitlist", "open"] as const)(
  "both kinds of download are explained (%s)",
  async (state) => {
    const html = await rendered(state);
    expect(html).toContain("Manual download:");
    expect(html).toContain("Automatic download:");
  },
);
