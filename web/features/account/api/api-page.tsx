import { apiLimits } from "@pro-talent/schemas/links/limits";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
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
const Webhooks = lazyPart(async () => (await import("./webhooks.tsx")).Webhooks);

/** Webhooks have answers and failures of their own. */
function WebhooksPart() {
  const { t } = useTranslation("account-api");
  const { texts, describe } = useViewTexts(t("webhooks.loading"));
  const query = useQuery(webhooksQuery);
  return (
    <section className="settings__part" aria-labelledby="api-webhooks">
      <div className="settings__intro">
        <h2 id="api-webhooks" className="settings__title">
          {t("webhooks.title")}
        </h2>
        <p className="settings__note">{t("webhooks.lead")}</p>
      </div>
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="row" count={3} />}
        // Without a webhook, the list says so above the form that adds the first one.
        isEmpty={() => false}
        empty={{ title: t("webhooks.empty") }}
        describe={describe}
      >
        {(answer) => (
          <Suspense fallback={<Skeleton shape="row" count={3} />}>
            <Webhooks {...answer} />
          </Suspense>
        )}
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

/** Access tokens for programs of the account holder, and what to do with them. */
export function ApiPage() {
  const { t } = useTranslation("account-api");
  const { texts, describe } = useViewTexts(t("loading"));
  const query = useQuery(accessTokensQuery);
  useEffect(() => {
    // What fails here is loaded anew when it is shown.
    for (const part of [AccessTokens, Webhooks]) part.load().catch(() => undefined);
  }, []);
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <div className="settings">
        <section className="settings__part" aria-labelledby="api-tokens">
          <div className="settings__intro">
            <h2 id="api-tokens" className="settings__title">
              {t("tokens.title")}
            </h2>
            <p className="settings__note">{t("tokens.lead")}</p>
          </div>
          <DataView
            query={query}
            texts={texts}
            skeleton={<Skeleton shape="row" count={3} />}
            // Without a token, the list says so above the form that makes the first one.
            isEmpty={() => false}
            empty={{ title: t("tokens.empty") }}
            describe={describe}
          >
            {(answer) => (
              <Suspense fallback={<Skeleton shape="row" count={3} />}>
                <AccessTokens {...answer} />
              </Suspense>
            )}
          </DataView>
        </section>
        <WebhooksPart />
        <Use />
      </div>
    </>
  );
}
