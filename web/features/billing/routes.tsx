import type { RouteObject } from "react-router-dom";

import type { PrefetchedPage } from "../../api-client/query-answer.ts";
import type { PageTexts } from "../../i18n/translations.ts";
import { invoicesQuery, paymentsQuery, subscriptionQuery } from "./billing-queries.ts";

const subscription = () => import("./subscription/subscription-page.tsx");

/** Checkout and subscription of the own account. */
export const billingRoutes: readonly RouteObject[] = [
  {
    path: "/checkout",
    lazy: { Component: async () => (await import("./checkout/checkout-page.tsx")).CheckoutPage },
    handle: {
      namespaces: ["account", "billing", "checkout", "plans"],
      title: (translator) => translator.t("title", { ns: "checkout" }),
    } satisfies PageTexts,
  },
  {
    path: "/checkout/return",
    lazy: { Component: async () => (await import("./checkout/return-page.tsx")).ReturnPage },
    handle: {
      namespaces: ["account", "billing", "checkout", "plans"],
      title: (translator) => translator.t("return.title", { ns: "checkout" }),
    } satisfies PageTexts,
  },
  {
    path: "/account/subscription",
    lazy: {
      Component: async () => (await subscription()).SubscriptionPage,
    },
    handle: {
      namespaces: ["account", "billing", "plans", "subscription"],
      title: (translator) => translator.t("title", { ns: "subscription" }),
      prefetch: (cache) => [
        subscription().then(({ subscriptionParts }) =>
          Promise.all(subscriptionParts.map((part) => part.load())),
        ),
        cache.query(subscriptionQuery),
        cache.query(paymentsQuery),
        cache.query(invoicesQuery),
      ],
    } satisfies PageTexts & PrefetchedPage,
  },
  {
    path: "/account/subscription/cancel",
    lazy: { Component: async () => (await import("./subscription/cancel-page.tsx")).CancelPage },
    handle: {
      namespaces: ["account", "billing", "plans", "subscription"],
      title: (translator) => translator.t("cancel.title", { ns: "subscription" }),
    } satisfies PageTexts,
  },
];
