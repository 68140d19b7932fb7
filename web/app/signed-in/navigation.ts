import type { GuardedPage } from "@pro-talent/schemas/site/page-access";
import type { i18n } from "i18next";

import type { NavigationItem } from "../../ui/app-shell/app-shell.tsx";

/**
 * A page of the navigation and the command menu. Its pages are all addresses that begin with its
 * path; who sees it follows from `pageAccess`.
 */
export type NavigationEntry = Pick<NavigationItem, "icon"> & {
  path: string;
  /** From the namespaces of the layout: `shell` and `account`. */
  label: (translator: i18n) => string;
  /** Other words by which the command menu finds it; from its own texts, which are there by then. */
  keywords?: (translator: i18n) => string;
};

/** In the order of the navigation. A feature adds its pages here. */
export const navigation: readonly (NavigationEntry & { path: GuardedPage })[] = [
  {
    path: "/dashboard",
    icon: "home",
    label: ({ t }) => t("account:layout.dashboard"),
    keywords: ({ t }) => t("account-commands:words.dashboard"),
  },
  {
    path: "/applications",
    icon: "columns",
    label: ({ t }) => t("account:layout.applications"),
    keywords: ({ t }) => t("account-commands:words.applications"),
  },
  {
    path: "/cv",
    icon: "page",
    label: ({ t }) => t("account:layout.cvs"),
    keywords: ({ t }) => t("account-commands:words.cvs"),
  },
  {
    path: "/portfolio",
    icon: "portfolio",
    label: ({ t }) => t("account:layout.portfolio"),
    keywords: ({ t }) => t("account-commands:words.portfolio"),
  },
  {
    path: "/links",
    icon: "link",
    label: ({ t }) => t("account:layout.links"),
    keywords: ({ t }) => t("account-commands:words.links"),
  },
  {
    path: "/account/profile",
    icon: "person",
    label: ({ t }) => t("account:layout.profile"),
    keywords: ({ t }) => t("account-commands:words.profile"),
  },
  {
    path: "/account/security",
    icon: "shield",
    label: ({ t }) => t("account:layout.security"),
    keywords: ({ t }) => t("account-commands:words.security"),
  },
  {
    path: "/account/api",
    icon: "code",
    label: ({ t }) => t("account:layout.api"),
  },
  {
    path: "/account/subscription",
    icon: "card",
    label: ({ t }) => t("account:layout.subscription"),
    keywords: ({ t }) => t("account-commands:words.subscription"),
  },
  {
    path: "/account/privacy",
    icon: "lock",
    label: ({ t }) => t("account:layout.privacy"),
  },
  {
    path: "/console/traffic",
    icon: "chart",
    label: ({ t }) => t("account:layout.traffic"),
    keywords: ({ t }) => t("account-commands:words.traffic"),
  },
  {
    path: "/console/analyst",
    icon: "chart",
    label: ({ t }) => t("account:layout.analyst"),
    keywords: ({ t }) => t("account-commands:words.analyst"),
  },
  {
    path: "/console/links",
    icon: "flag",
    label: ({ t }) => t("account:layout.reportedLinks"),
    keywords: ({ t }) => t("account-commands:words.reportedLinks"),
  },
  {
    path: "/console/status",
    icon: "pulse",
    label: ({ t }) => t("account:layout.status"),
    keywords: ({ t }) => t("account-commands:words.status"),
  },
  {
    path: "/console/analyst/queries",
    icon: "code",
    label: ({ t }) => t("account:layout.savedQueries"),
    keywords: ({ t }) => t("account-commands:words.savedQueries"),
  },
  {
    path: "/console/analyst/dashboards",
    icon: "chart",
    label: ({ t }) => t("account:layout.dashboards"),
    keywords: ({ t }) => t("account-commands:words.dashboards"),
  },
  {
    path: "/console/analyst/deliveries",
    icon: "page",
    label: ({ t }) => t("account:layout.deliveries"),
    keywords: ({ t }) => t("account-commands:words.deliveries"),
  },
  {
    path: "/console/analyst/history",
    icon: "undo",
    label: ({ t }) => t("account:layout.queryHistory"),
    keywords: ({ t }) => t("account-commands:words.queryHistory"),
  },
  {
    path: "/console/privacy",
    icon: "document",
    label: ({ t }) => t("account:layout.privacyRequests"),
  },
  {
    path: "/console/privacy/inactive",
    icon: "person",
    label: ({ t }) => t("account:layout.inactive"),
  },
  {
    path: "/console/privacy/calendar",
    icon: "pulse",
    label: ({ t }) => t("account:layout.privacyCalendar"),
    keywords: ({ t }) => t("account-commands:words.privacyCalendar"),
  },
  {
    path: "/console/privacy/metrics",
    icon: "chart",
    label: ({ t }) => t("account:layout.privacyMetrics"),
    keywords: ({ t }) => t("account-commands:words.privacyMetrics"),
  },
  {
    path: "/console/privacy/breaches",
    icon: "flag",
    label: ({ t }) => t("account:layout.privacyBreaches"),
    keywords: ({ t }) => t("account-commands:words.privacyBreaches"),
  },
  {
    path: "/console/privacy/processing",
    icon: "shield",
    label: ({ t }) => t("account:layout.processing"),
  },
];
