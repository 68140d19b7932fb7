import type { PlanFeatures } from "./plan.ts";

export type Entitlement =
  | "save-cv"
  | "download-cv"
  | "receive-cv-automatically"
  | "publish-portfolio"
  | "customize-portfolio"
  | "read-link-analytics"
  | "track-applications"
  | "use-both-languages";

/**
 * What a holder of a plan may do. Follows from the features alone, never from the plan's name, so
 * that a new plan needs no new rule.
 */
export function entitlementsOf(features: PlanFeatures): ReadonlySet<Entitlement> {
  const granted = new Set<Entitlement>(["download-cv"]);
  if (features.cvDownload === "automatic") granted.add("receive-cv-automatically");
  if (features.cvInputSave) granted.add("save-cv");
  if (features.publicPortfolio) granted.add("publish-portfolio");
  if (features.portfolioCustomization) granted.add("customize-portfolio");
  if (features.analytics) granted.add("read-link-analytics");
  if (features.jobTracker) granted.add("track-applications");
  if (features.i18n) granted.add("use-both-languages");
  return granted;
}
