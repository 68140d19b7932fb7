import type { Launch } from "@pro-talent/schemas/site/launch";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { MemoryRouter } from "react-router-dom";
import { afterEach, expect, test, vi } from "vitest";

// Other files of the worker share its modules.
afterEach(() => {
  vi.doUnmock("@pro-talent/schemas/site/launch");
  vi.resetModules();
});

const languages = ["en", "he"] as const;
type Language = (typeof languages)[number];

/** All pages as they are built when the constant has this state, by path; texts only. */
async function pagesIn(state: Launch["state"], language: Language): Promise<Map<string, string>> {
  vi.resetModules();
  vi.doMock("@pro-talent/schemas/site/launch", async (original) => ({
    ...(await original<object>()),
    launch: { state },
  }));
  const { renderPage, routes } = await import("./entry-server.tsx");
  const { createTranslator, loadTranslations } = await import("../i18n/translations.ts");
  const { JoinPage } = await import("../features/account/entry/join-page.tsx");
  const { SignInPage } = await import("../features/account/entry/sign-in-page.tsx");
  const pages = new Map<string, string>();
  for (const { path } of routes) {
    const { html, title, description } = await renderPage(path, language, 2026);
    pages.set(path, `${title} ${description} ${html}`);
  }
  const translator = createTranslator(language);
  await loadTranslations(translator, language, ["shell", "account", "account-entry"]);
  for (const [path, Page] of [
    ["/join", JoinPage],
    ["/login", SignInPage],
  ] as const) {
    const html = renderToStaticMarkup(
      <I18nextProvider i18n={translator}>
        <QueryClientProvider client={new QueryClient()}>
          <MemoryRouter initialEntries={[path]}>
            <Page />
          </MemoryRouter>
        </QueryClientProvider>
      </I18nextProvider>,
    );
    pages.set(path, html);
  }
  return pages;
}

const textOf = (html: string): string => html.replaceAll(/<[^>]*>/gu, " ");

/** What is only true until the launch. */
const before = {
  en: /waitlist|coming soon|\bnot (?:yet )?open\b|has not launched|launch date|until launch|by invitation|beta|early-bird|no (?:users|customers)|(?:when|before|once|where) (?:\w+ )?(?:accounts|plans|Pro Talent|it|the doors) opens?\b/iu,
  he: /רשימת (?:ה)?המתנה|בקרוב|(?:Talent|החיים) (?:עוד|עדיין) לא נפתח|השקה|משיקים|הושק|לפי הזמנה|בטא|מצטרפים הראשונים|פתיחת ה(?:חשבונות|מסלולים)|כשייפתחו|כשפותחים|אין (?:לו )?עדיין|אין משתמשים|אין לקוחות/u,
};
/** What is only true from then on. */
const after = {
  en: /create an account|Pro Talent is open/iu,
  he: /יצירת חשבון|ליצירת חשבון|Pro Talent פתוח/u,
};

test.each(languages)(
  "once the product is open no text is about the time before, in %s",
  async (language) => {
    const pages = await pagesIn("open", language);
    const left = [...pages].flatMap(([path, html]) => {
      const [words] = before[language].exec(textOf(html)) ?? [];
      return words === undefined ? [] : [`${path}: ${words}`];
    });
    expect(left).toEqual([]);
    for (const path of ["/", "/pricing", "/signup"])
      expect(pages.get(path)).toContain('href="/join"');
    expect(pages.get("/signup")).not.toContain("waitlist-form");
    // A lost subscriber finds the form where it is now.
    const [, id] =
      /data-track="answer-signup" href="\/#([^"]+)"/u.exec(pages.get("/answer") ?? "") ?? [];
    expect(pages.get("/")?.includes(`id="${id}"`)).toBe(true);
  },
);

test.each(languages)("before the launch no text promises an account, in %s", async (language) => {
  const pages = await pagesIn("waitlist", language);
  pages.delete("/join");
  const early = [...pages].filter(([, html]) => after[language].test(textOf(html)));
  expect(early.map(([path]) => path)).toEqual([]);
  expect([...pages].filter(([, html]) => html.includes('href="/join"'))).toEqual([]);
  expect(pages.get("/signup")).toContain("waitlist-form");
});
