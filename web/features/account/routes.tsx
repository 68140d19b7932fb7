import { type LoaderFunction, redirect, type RouteObject } from "react-router-dom";

import type { PrefetchedPage } from "../../api-client/query-answer.ts";
import { readToken } from "../../api-client/token.ts";
import type { PageTexts } from "../../i18n/translations.ts";
import { factorsQuery, sessionsQuery } from "../account-query.ts";
import { nextPath } from "./entry/next-path.ts";

const security = () => import("./security/security-page.tsx");
const mailed = () => import("./entry/mailed-pages.tsx");

/** The price list leads everyone here: an account that is signed in goes on to what was chosen. */
const leadOn: LoaderFunction = ({ request }) => {
  const next = new URL(request.url).searchParams.get("next");
  // oxlint-disable-next-line typescript/only-throw-error -- how a loader redirects
  if (next !== null && readToken() !== null) throw redirect(nextPath(next));
  return null;
};

/** The pages that lead into an account. */
export const accountRoutes: readonly RouteObject[] = [
  {
    path: "/login",
    lazy: { Component: async () => (await import("./entry/sign-in-page.tsx")).SignInPage },
    handle: {
      namespaces: ["account", "account-entry"],
      title: (translator) => translator.t("signIn.title", { ns: "account" }),
    } satisfies PageTexts,
  },
  {
    path: "/login/forgotten",
    lazy: { Component: async () => (await mailed()).ForgottenPage },
    handle: {
      namespaces: ["account", "account-entry", "account-mailed"],
      title: (translator) => translator.t("forgotten.title", { ns: "account-mailed" }),
    } satisfies PageTexts,
  },
  {
    path: "/login/reset",
    lazy: { Component: async () => (await mailed()).ResetPage },
    handle: {
      namespaces: ["account", "account-entry", "account-mailed"],
      title: (translator) => translator.t("reset.title", { ns: "account-mailed" }),
    } satisfies PageTexts,
  },
  {
    path: "/login/email",
    lazy: { Component: async () => (await mailed()).ConfirmEmailPage },
    handle: {
      namespaces: ["account", "account-entry", "account-mailed"],
      title: (translator) => translator.t("email.title", { ns: "account-mailed" }),
    } satisfies PageTexts,
  },
  {
    path: "/login/recovery",
    lazy: { Component: async () => (await mailed()).RefuseRecoveryPage },
    handle: {
      namespaces: ["account", "account-entry", "account-mailed"],
      title: (translator) => translator.t("recovery.title", { ns: "account-mailed" }),
    } satisfies PageTexts,
  },
  {
    path: "/join",
    lazy: { Component: async () => (await import("./entry/join-page.tsx")).JoinPage },
    loader: leadOn,
    handle: {
      namespaces: ["account", "account-entry"],
      title: (translator) => translator.t("join.title", { ns: "account-entry" }),
    } satisfies PageTexts,
  },
];

/** The pages about the own account. */
export const ownAccountRoutes: readonly RouteObject[] = [
  {
    path: "/account/profile",
    lazy: { Component: async () => (await import("./profile/profile-page.tsx")).ProfilePage },
    handle: {
      namespaces: ["account", "account-profile"],
      title: (translator) => translator.t("profile.title", { ns: "account-profile" }),
    } satisfies PageTexts,
  },
  {
    path: "/account/security",
    lazy: { Component: async () => (await security()).SecurityPage },
    handle: {
      namespaces: ["account", "account-security"],
      title: (translator) => translator.t("security.title", { ns: "account-security" }),
      prefetch: (cache) => [
        security().then(({ securityParts }) =>
          Promise.all(securityParts.map((part) => part.load())),
        ),
        cache.query(factorsQuery),
        cache.query(sessionsQuery),
      ],
    } satisfies PageTexts & PrefetchedPage,
  },
  {
    path: "/account/api",
    lazy: { Component: async () => (await import("./api/api-page.tsx")).ApiPage },
    handle: {
      namespaces: ["account", "account-api", "account-security"],
      title: (translator) => translator.t("title", { ns: "account-api" }),
    } satisfies PageTexts,
  },
];
