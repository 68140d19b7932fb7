import { useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { accountQuery, useAccount } from "../../../features/account-query.ts";
import { accountSteps, type NextStep } from "../../../features/account/next-steps.ts";
import type { Subscription } from "../../../features/billing/billing-calls.ts";
import { subscriptionQuery } from "../../../features/billing/billing-queries.ts";
import { localTime } from "../../../features/local-time.ts";
import { useViewTexts } from "../../../features/view-texts.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { buttonClass } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { AccountSheet, CvSheet, OpenedSheet } from "./sheets.tsx";
import { TrackerParts } from "./tracker-sheets.tsx";

import "./dashboard.css";

/** By the hour where the account holder lives, not where the server is. */
function greetingOf(hour: number): "morning" | "day" | "evening" {
  if (hour >= 5 && hour < 12) return "morning";
  return hour >= 18 || hour < 5 ? "evening" : "day";
}

const hourIn = (timeZone: string): number =>
  Number(localTime(Date.now(), timeZone).time.slice(0, 2));

/** The most urgent first and largest; the others are lines of a list. */
function Steps({ steps }: { steps: readonly NextStep[] }) {
  const { t } = useTranslation("dashboard");
  return (
    <ol className="next-steps" aria-label={t("steps.label")}>
      {steps.map(({ id, title, body, action, href }, index) => (
        <li key={id} className="next-steps__step">
          <h2 className="next-steps__title">{title}</h2>
          <p>{body}</p>
          <Link className={buttonClass(index === 0 ? "solid" : "outline")} to={href}>
            {action}
          </Link>
        </li>
      ))}
    </ol>
  );
}

/** A payment that waits for its holder comes before everything else. */
function paymentSteps(attention: Subscription["attention"], t: TFunction<"dashboard">): NextStep[] {
  if (attention === null || attention.kind === "being-checked") return [];
  const id = attention.kind;
  const of = (part: "title" | "body" | "action") => t(`steps.${id}.${part}`);
  const href = "/account/subscription";
  return [{ id, title: of("title"), body: of("body"), action: of("action"), href }];
}

/** What today brings, and what an account holder can do next: each part is loaded by itself. */
export function DashboardPage() {
  const { t } = useTranslation(["dashboard", "account"]);
  const language = useLanguage();
  const { texts, describe } = useViewTexts(t("account:view.loading"));
  const query = useQuery(accountQuery);
  const { data: subscription } = useQuery(subscriptionQuery);
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  const { profile } = useAccount();
  const greeting = t(`greeting.${greetingOf(hourIn(profile.timeZone))}`, {
    name: profile.fullName,
    interpolation: { escapeValue: false },
  });
  const urgent = paymentSteps(subscription?.attention ?? null, t);
  const steps = query.data === undefined ? [] : accountSteps(query.data, t, list);
  const count = urgent.length + steps.length;
  const lead = count === 0 ? t("leadNone") : t("lead", { count });
  return (
    <>
      <PageHeader title={greeting} lead={lead} />
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="block" count={2} />}
        isEmpty={() => false}
        empty={{ title: t("leadNone") }}
        describe={describe}
      >
        {(account) => (
          <div className="dashboard">
            <div className="dashboard__parts">
              {urgent.length > 0 && <Steps steps={urgent} />}
              <TrackerParts />
              {steps.length > 0 && <Steps steps={steps} />}
            </div>
            <div className="dashboard__sheets">
              {subscription?.entitlements.includes("read-link-analytics") === true && (
                <OpenedSheet />
              )}
              <CvSheet />
              <AccountSheet account={account} />
            </div>
          </div>
        )}
      </DataView>
    </>
  );
}
