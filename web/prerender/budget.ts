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

/** Pages of the signed-in area, with their source: each feature lists its own here. */
export const signedInPages: Readonly<Record<string, string>> = {
  "/login": "features/account/entry/sign-in-page.tsx",
  "/join": "features/account/entry/join-page.tsx",
  "/dashboard": "app/signed-in/dashboard/dashboard-page.tsx",
  "/account/profile": "features/account/profile/profile-page.tsx",
  "/account/security": "features/account/security/security-page.tsx",
  "/checkout": "features/billing/checkout/checkout-page.tsx",
  "/checkout/return": "features/billing/checkout/return-page.tsx",
  "/account/subscription": "features/billing/subscription/subscription-page.tsx",
  "/account/subscription/cancel": "features/billing/subscription/cancel-page.tsx",
  "/console/status": "features/billing/console/status-page.tsx",
};

/** The modules that a first visit to a page of the signed-in area loads. */
export function modulesOfSignedInPage(
  manifest: Manifest,
  source: string,
  language: Locale,
): readonly string[] {
  const texts = chunkNamed(manifest, `texts-${language}`);
  return needsOf(manifest, ["app/signed-in/main.tsx", source, texts]).modules;
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
