import { apiLimits } from "@pro-talent/schemas/links/limits";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../../account-query.ts";
import { lazyPart } from "../../lazy-part.tsx";
import { useViewTexts } from "../../view-texts.ts";
import { accessTokensQuery } from "./access-tokens-query.ts";
import { webhooksQuery } from "./webhooks-query.ts";

import "../settings.css";
import "./api-page.css";

const calls = [
  { about: "links", call: "GET /api/v1/links" },
  { about: "one", call: "GET /api/v1/links/{linkId}" },
  { about: "opens", call: "GET /api/v1/opens?linkId={linkId}&from=2026-01-01&to=2026-01-31" },
] as const;

/** Loaded while the tokens are asked for. */
const AccessTokens = lazyPart(async () => (await import("./access-tokens.tsx")).AccessTokens);
/** Programs in three languages, for analysts. */
const AnalystUse = lazyPart(async () => (await import("./analyst-use.tsx")).AnalystUse);
const Webhooks = lazyPart(async () => (await import("./webhooks.tsx")).Webhooks);

type PartProps<Answer> = {
  about: "tokens" | "webhooks";
  query: UseQueryResult<Answer>;
  children: (answer: Answer) => ReactNode;
};

/** What programs are given, with answers and failures of its own. */
function Part<Answer>({ about, query, children }: PartProps<Answer>) {
  const { t } = useTranslation("account-api");
  const { texts, describe } = useViewTexts(t(`${about}.loading`));
  const skeleton = <Skeleton shape="row" count={3} />;
  return (
    <section className="settings__part" aria-labelledby={`api-${about}`}>
      <div className="settings__intro">
        <h2 id={`api-${about}`} className="settings__title">
          {t(`${about}.title`)}
        </h2>
        <p className="settings__note">{t(`${about}.lead`)}</p>
      </div>
      <DataView
        query={query}
        texts={texts}
        skeleton={skeleton}
        // Without any, the list says so above the form that makes the first one.
        isEmpty={() => false}
        empty={{ title: t(`${about}.empty`) }}
        describe={describe}
      >
        {(answer) => <Suspense fallback={skeleton}>{children(answer)}</Suspense>}
      </DataView>
    </section>
  );
}

/** What a program sends; the same in every language. */
function Use() {
  const { t } = useTranslation("account-api");
  const example = `curl "${location.origin}/api/v1/links" \\\n  -H "Authorization: Bearer pt_…"`;
  return (
    <section className="settings__part" aria-labelledby="api-use">
      <div className="settings__intro">
        <h2 id="api-use" className="settings__title">
          {t("use.title")}
        </h2>
        <p className="settings__note">{t("use.lead", { count: apiLimits.callsPerMinute })}</p>
      </div>
      <div className="settings__content">
        <dl className="api-calls">
          {calls.map(({ about, call }) => (
            <div key={about} className="api-calls__call">
              <dt>
                <code dir="ltr">{call}</code>
              </dt>
              <dd className="settings__note">{t(`use.${about}`)}</dd>
            </div>
          ))}
        </dl>
        <figure className="api-example">
          <figcaption className="settings__note">{t("use.example")}</figcaption>
          <pre className="api-example__text" dir="ltr">
            {example}
          </pre>
        </figure>
      </div>
    </section>
  );
}

/** Access tokens for programs of the account holder, webhooks, and what to do with them. */
export function ApiPage() {
  const { t } = useTranslation("account-api");
  const { roles } = useAccount();
  const [tokens, webhooks] = [useQuery(accessTokensQuery), useQuery(webhooksQuery)];
  useEffect(() => {
    // What fails here is loaded anew when it is shown.
    for (const part of [AccessTokens, Webhooks]) part.load().catch(() => undefined);
  }, []);
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <div className="settings">
        <Part about="tokens" query={tokens}>
          {(answer) => <AccessTokens {...answer} />}
        </Part>
        <Part about="webhooks" query={webhooks}>
          {(answer) => <Webhooks {...answer} />}
        </Part>
        <Use />
        {roles.includes("analyst") && (
          <Suspense>
            <AnalystUse />
          </Suspense>
        )}
      </div>
    </>
  );
}
