import { QueryClientProvider } from "@tanstack/react-query";
import { renderToString } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { createMemoryRouter, type RouteObject, RouterProvider } from "react-router-dom";
import { expect, test } from "vitest";

import account from "../../i18n/en/account.json" with { type: "json" };
import shell from "../../i18n/en/shell.json" with { type: "json" };
import { createTranslator, loadTranslations } from "../../i18n/translations.ts";
import { queryClient } from "./query-client.ts";
import { createRoutes } from "./routes.tsx";

const texts = { namespaces: ["account"], title: () => "A page" };
const loaded: string[] = [];

const open: readonly RouteObject[] = [
  { path: "/login", Component: () => <h1>Sign in</h1> },
  {
    path: "/join",
    Component: () => null,
    handle: texts,
    loader: () => {
      // oxlint-disable-next-line typescript/only-throw-error -- how a loader answers with a status
      throw new Response(null, { status: 403 });
    },
  },
  {
    path: "/checkout",
    handle: texts,
    lazy: { Component: () => Promise.reject(new Error("gone")) },
  },
];
const guarded: readonly RouteObject[] = [
  {
    path: "/links/:id",
    Component: () => null,
    loader: ({ params }) => {
      loaded.push(params["id"] ?? "");
      return null;
    },
  },
  { path: "/cv", Component: () => null },
];

async function visit(path: string) {
  const translator = createTranslator("en");
  await loadTranslations(translator, "en", ["shell", "account", "not-found"]);
  const routes = createRoutes(translator, { open, guarded, navigation: [] });
  const router = createMemoryRouter(routes, { initialEntries: ["/login"] });
  await router.navigate(path);
  const html = renderToString(
    <I18nextProvider i18n={translator}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nextProvider>,
  );
  return { router, html };
}

test.each(["/links/7?days=30", "/cv", "/nowhere"])(
  "without a token %s leads to the sign-in page and loads nothing",
  async (path) => {
    const { location } = (await visit(path)).router.state;
    expect(location.pathname).toBe("/login");
    expect(new URLSearchParams(location.search).get("next")).toBe(path);
    expect(loaded).toEqual([]);
  },
);

test("a page that needs no account opens", async () => {
  const { router, html } = await visit("/login?next=%2Fcv");
  expect(router.state.location.search).toBe("?next=%2Fcv");
  expect(html).toContain("<h1>Sign in</h1>");
});

test("a refusal shows within the layout", async () => {
  const { html } = await visit("/join");
  expect(html).toContain(account.notAllowed.title);
  expect(html).toContain("<header");
});

// An ErrorBoundary on the lazy route itself would leave the page empty.
test("code that cannot be fetched is caught within the layout, after three attempts", async () => {
  const { router, html } = await visit("/checkout");
  expect(Object.values(router.state.errors ?? {})).toMatchObject([{ name: "Error" }]);
  expect(html).toContain(shell.loading);
  expect(html).toContain("<header");
  await router.navigate("/login");
  expect(router.state.errors).toBeNull();
});
