import type { PlanFeatures } from "@pro-talent/schemas/subscription/plan";
import { plans } from "@pro-talent/schemas/subscription/plans";
import { useTranslation } from "react-i18next";

import { ReadingTable } from "../../../ui/reading-table/reading-table.tsx";
import { comparedFeatures, FeatureValue } from "../../feature-value.tsx";
import type { Subscription } from "../billing-calls.ts";

import "./entitlements.css";

type Feature = keyof PlanFeatures;
/** Features that a sample can show. */
const sampled = [
  "publicPortfolio",
  "analytics",
  "jobTracker",
] as const satisfies readonly Feature[];

/** What a plan lacks: a sample of it, marked as an example, and the first plan that has it. */
function Samples({ lacking }: { lacking: readonly (typeof sampled)[number][] }) {
  const { t } = useTranslation(["subscription", "plans"]);
  if (lacking.length === 0) return null;
  return (
    <ul className="samples" aria-label={t("entitlements.samples")}>
      {lacking.map((feature) => {
        const first = plans.find((plan) => plan.features[feature]);
        return (
          <li key={feature} className="sample">
            <p className="sample__mark">{t("entitlements.example")}</p>
            <p className="sample__text">{t(`entitlements.sample.${feature}`)}</p>
            <p className="sample__plan">
              {t("entitlements.from", {
                feature: t(`plans:features.${feature}`),
                plan: first === undefined ? "" : t(`plans:${first.code}.name`),
              })}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

/** What the plan includes beside the others; what it lacks is shown, not hidden. */
export function Entitlements({ plan: current }: Pick<Subscription, "plan">) {
  const { t } = useTranslation(["subscription", "plans"]);
  const own = plans.find(({ code }) => code === current) ?? plans[0];
  return (
    <section className="billing-part" aria-labelledby="entitlements">
      <h2 id="entitlements" className="billing-part__title">
        {t("entitlements.title")}
      </h2>
      <ReadingTable
        caption={t("plans:comparison.caption")}
        columns={[
          { id: "feature", header: t("plans:comparison.feature") },
          ...plans.map(({ code }) => ({
            id: code,
            header:
              code === current
                ? t("entitlements.yours", { plan: t(`plans:${code}.name`) })
                : t(`plans:${code}.name`),
          })),
        ]}
        rows={comparedFeatures.map((feature) => ({
          id: feature,
          cells: {
            feature: t(`plans:features.${feature}`),
            ...Object.fromEntries(
              plans.map(({ code, features }) => [
                code,
                <FeatureValue key={code} value={features[feature]} />,
              ]),
            ),
          },
        }))}
      />
      <Samples lacking={sampled.filter((feature) => !own.features[feature])} />
    </section>
  );
}
