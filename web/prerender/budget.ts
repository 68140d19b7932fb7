import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { isSignedInPath } from "@pro-talent/schemas/site/signed-in-paths";
import { z } from "zod";

import type { Route } from "../app/routes.ts";
import { chunkNamed, type Manifest, needsOf, sourcesOf } from "./manifest.ts";

/** JavaScript of a first visit in gzipped bytes, by path and language. */
export const Weights = z.record(z.string(), z.record(z.string(), z.int()));
export type Weights = z.infer<typeof Weights>;

export const Budget = z.strictObject({
  /** Maximum for every public page. */
  ceiling: z.int(),
  /** Maximum for every page of the signed-in area. */
  signedInCeiling: z.int(),
  /** Allowed growth over the recorded size. */
  tolerance: z.int(),
  recorded: Weights,
});
export type Budget = z.infer<typeof Budget>;

/** The modules that a first visit loads without interaction: those of the document. */
export function modulesOfFirstVisit(
  manifest: Manifest,
  route: Route,
  language: Locale,
): readonly string[] {
  return needsOf(manifest, [
    "app/main.tsx",
    chunkNamed(manifest, `texts-${language}`),
    ...sourcesOf(route, language),
  ]).modules;
}

type SignedInPage = {
  source: string;
  /** Texts beside those of every page, as in its route. */
  namespaces?: readonly string[];
};

const billing = ["billing", "plans"];
const analystWork = ["analyst-result", "analyst-work"];

/** Pages of the signed-in area, with their source: each feature lists its own here. */
export const signedInPages: Readonly<Record<string, SignedInPage>> = {
  "/login": {
    source: "features/account/entry/sign-in-page.tsx",
    namespaces: ["account-entry"],
  },
  "/join": {
    source: "features/account/entry/join-page.tsx",
    namespaces: ["account-entry"],
  },
  "/dashboard": {
    source: "app/signed-in/dashboard/dashboard-page.tsx",
    namespaces: ["applications", "dashboard"],
  },
  "/account/profile": {
    source: "features/account/profile/profile-page.tsx",
    namespaces: ["account-profile"],
  },
  "/account/security": {
    source: "features/account/security/security-page.tsx",
    namespaces: ["account-security"],
  },
  "/account/api": {
    source: "features/account/api/api-page.tsx",
    namespaces: ["account-api", "account-security"],
  },
  "/checkout": {
    source: "features/billing/checkout/checkout-page.tsx",
    namespaces: [...billing, "checkout"],
  },
  "/checkout/return": {
    source: "features/billing/checkout/return-page.tsx",
    namespaces: [...billing, "checkout"],
  },
  "/account/subscription": {
    source: "features/billing/subscription/subscription-page.tsx",
    namespaces: [...billing, "subscription"],
  },
  "/account/subscription/cancel": {
    source: "features/billing/subscription/cancel-page.tsx",
    namespaces: [...billing, "subscription"],
  },
  "/account/privacy": {
    source: "features/account/privacy/privacy-page.tsx",
    namespaces: ["account-privacy"],
  },
  "/applications": {
    source: "features/applications/applications-page.tsx",
    namespaces: ["applications"],
  },
  "/applications/:applicationId": {
    source: "features/applications/one/application-page.tsx",
    namespaces: ["applications", "application"],
  },
  "/cv": { source: "features/cv/list/cvs-page.tsx", namespaces: ["cv"] },
  "/cv/:cvId": { source: "features/cv/cv-page.tsx", namespaces: ["cv", "cv-checks"] },
  "/portfolio": {
    source: "features/portfolio/portfolio-page.tsx",
    namespaces: ["cv", "cv-checks", "portfolio"],
  },
  "/links": { source: "features/links/links-page.tsx", namespaces: ["links"] },
  "/links/:linkId": { source: "features/links/link-page.tsx", namespaces: ["links"] },
  "/console/traffic": {
    source: "features/traffic/traffic-page.tsx",
    namespaces: ["traffic"],
  },
  "/console/analyst": {
    source: "features/analyst/console-page.tsx",
    namespaces: ["analyst", "analyst-result", "analyst-work"],
  },
  "/console/analyst/questions": {
    source: "features/analyst/questions-page.tsx",
    namespaces: ["traffic", "analyst", "analyst-result", "analyst-questions"],
  },
  "/console/analyst/views": {
    source: "features/analyst/views-page.tsx",
    namespaces: ["analyst", "analyst-views"],
  },
  "/console/analyst/queries": {
    source: "features/analyst/work/saved-list.tsx",
    namespaces: analystWork,
  },
  "/console/analyst/queries/:workId": {
    source: "features/analyst/work/query-page.tsx",
    namespaces: [...analystWork, "analyst"],
  },
  "/console/analyst/history": {
    source: "features/analyst/work/history-page.tsx",
    namespaces: analystWork,
  },
  "/console/analyst/dashboards": {
    source: "features/analyst/work/saved-list.tsx",
    namespaces: analystWork,
  },
  "/console/analyst/dashboards/:workId": {
    source: "features/analyst/work/dashboard-page.tsx",
    namespaces: [...analystWork, "traffic", "analyst-questions"],
  },
  "/console/analyst/deliveries": {
    source: "features/analyst/work/deliveries-page.tsx",
    namespaces: analystWork,
  },
  "/console/links": {
    source: "features/reported-links/reported-links-page.tsx",
    namespaces: ["billing", "reported-links"],
  },
  "/console/status": {
    source: "features/status-console/status-page.tsx",
    namespaces: ["billing", "status"],
  },
  "/console/privacy": {
    source: "features/privacy-console/queue-page.tsx",
    namespaces: ["account-privacy", "privacy-console"],
  },
  "/console/privacy/requests/:requestId": {
    source: "features/privacy-console/request-page.tsx",
    namespaces: ["account-privacy", "privacy-console"],
  },
  "/console/privacy/breaches": {
    source: "features/privacy-console/breaches-page.tsx",
    namespaces: ["breaches"],
  },
  "/console/privacy/breaches/:breachId": {
    source: "features/privacy-console/breach-page.tsx",
    namespaces: ["breaches"],
  },
  "/console/privacy/inactive": {
    source: "features/privacy-console/inactive-page.tsx",
    namespaces: ["inactive-accounts"],
  },
  "/console/privacy/calendar": {
    source: "features/privacy-console/calendar-page.tsx",
    namespaces: ["privacy-calendar"],
  },
  "/console/privacy/metrics": {
    source: "features/privacy-console/metrics-page.tsx",
    namespaces: ["privacy-metrics"],
  },
  "/console/privacy/queries": {
    source: "features/analyst/record/record-page.tsx",
    namespaces: ["analyst-result", "analyst-work"],
  },
  "/console/privacy/processing": {
    source: "features/privacy-console/processing-page.tsx",
    namespaces: ["processing"],
  },
};

/** The modules that a first visit to a page of the signed-in area loads. */
export function modulesOfSignedInPage(
  manifest: Manifest,
  { source, namespaces = [] }: SignedInPage,
  language: Locale,
): readonly string[] {
  const shared = chunkNamed(manifest, `texts-${language}`);
  const texts = namespaces.map((name) => `i18n/${language}/${name}.json`);
  return needsOf(manifest, ["app/signed-in/main.tsx", source, shared, ...texts]).modules;
}

type Row = { path: string; language: string; bytes: number };

export function rowsOf(weights: Weights): Row[] {
  return Object.entries(weights).flatMap(([path, languages]) =>
    Object.entries(languages).map(([language, bytes]) => ({ path, language, bytes })),
  );
}

/** Violations of the budget, one sentence each. */
export function overruns(budget: Budget, measured: Weights): string[] {
  const problems = rowsOf(measured).flatMap(({ path, language, bytes }) => {
    const name = `${path} in ${language}`;
    const ceiling = isSignedInPath(path) ? budget.signedInCeiling : budget.ceiling;
    if (bytes > ceiling) return [`${name}: ${bytes} bytes, the ceiling is ${ceiling}`];
    const recorded = budget.recorded[path]?.[language];
    if (recorded === undefined) return [`${name}: not recorded`];
    if (bytes <= recorded + budget.tolerance) return [];
    return [`${name}: ${bytes} bytes, ${bytes - recorded} more than recorded`];
  });
  const removed = rowsOf(budget.recorded).filter(
    ({ path, language }) => measured[path]?.[language] === undefined,
  );
  return [
    ...problems,
    ...removed.map(({ path, language }) => `${path} in ${language}: recorded, but not built`),
  ];
}
