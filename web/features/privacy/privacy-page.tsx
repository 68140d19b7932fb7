import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { lazyPart } from "../lazy-part.tsx";
import { useViewTexts } from "../view-texts.ts";
import { consentsQuery, heldQuery } from "./privacy-calls.ts";
import { type OwnRequest, requestsQuery } from "./requests-query.ts";

import "../account/settings.css";
import "./privacy-page.css";

const HeldData = lazyPart(async () => (await import("./held-data.tsx")).HeldData);
const OwnRequests = lazyPart(async () => (await import("./own-requests.tsx")).OwnRequests);
const ExportForm = lazyPart(async () => (await import("./request-forms.tsx")).ExportForm);
const CorrectionForm = lazyPart(async () => (await import("./request-forms.tsx")).CorrectionForm);
const Deletion = lazyPart(async () => (await import("./deletion.tsx")).Deletion);
const Consents = lazyPart(async () => (await import("./consents.tsx")).Consents);

type Name = "held" | "requests" | "export" | "correct" | "delete" | "consents";

/** One part of the page, with the code that is loaded for it. */
function Part({ name, children }: { name: Name; children: ReactNode }) {
  const { t } = useTranslation("account-privacy");
  return (
    <section className="settings__part" aria-labelledby={`privacy-${name}`}>
      <div className="settings__intro">
        <h2 id={`privacy-${name}`} className="settings__title">
          {t(`${name}.title`)}
        </h2>
        <p className="settings__note">{t(`${name}.lead`)}</p>
      </div>
      <Suspense fallback={<Skeleton shape="row" count={3} />}>{children}</Suspense>
    </section>
  );
}

function HeldPart() {
  const { t } = useTranslation("account-privacy");
  const query = useQuery(heldQuery);
  const { texts, describe } = useViewTexts(t("held.loading"));
  return (
    <Part name="held">
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="row" count={6} />}
        isEmpty={({ sections, missing }) => sections.length === 0 && missing.length === 0}
        empty={{ title: t("held.empty") }}
        describe={describe}
        partial={({ missing }) =>
          missing.length === 0
            ? undefined
            : t("held.missing", {
                sections: missing.map((section) => t(`held.sections.${section}`)).join(", "),
              })
        }
      >
        {({ sections }) => <HeldData sections={sections} />}
      </DataView>
    </Part>
  );
}

function ConsentsPart() {
  const { t } = useTranslation("account-privacy");
  const query = useQuery(consentsQuery);
  const { texts, describe } = useViewTexts(t("consents.loading"));
  return (
    <Part name="consents">
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="row" count={3} />}
        isEmpty={({ consents }) => consents.length === 0}
        empty={{ title: t("consents.empty") }}
        describe={describe}
      >
        {({ consents }) => <Consents consents={consents} />}
      </DataView>
    </Part>
  );
}

function RequestsPart({ query }: { query: UseQueryResult<{ requests: OwnRequest[] }> }) {
  const { t } = useTranslation("account-privacy");
  const { texts, describe } = useViewTexts(t("requests.loading"));
  return (
    <Part name="requests">
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="row" count={3} />}
        isEmpty={({ requests }) => requests.length === 0}
        empty={{ title: t("requests.empty"), body: t("requests.emptyBody") }}
        describe={describe}
      >
        {({ requests }) => <OwnRequests requests={requests} />}
      </DataView>
    </Part>
  );
}

/** What is held about the account, and every right of its holder. */
export function PrivacyPage() {
  const { t } = useTranslation("account-privacy");
  const query = useQuery(requestsQuery);
  const requests = query.data?.requests;
  useEffect(() => {
    // What fails here is loaded anew when it is shown.
    for (const part of [HeldData, OwnRequests, ExportForm, CorrectionForm, Deletion, Consents])
      part.load().catch(() => undefined);
  }, []);
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <div className="settings">
        <HeldPart />
        <RequestsPart query={query} />
        {requests !== undefined && (
          <>
            <Part name="export">
              <ExportForm requests={requests} />
            </Part>
            <Part name="correct">
              <CorrectionForm requests={requests} />
            </Part>
            <Part name="delete">
              <Deletion requests={requests} />
            </Part>
          </>
        )}
        <ConsentsPart />
      </div>
    </>
  );
}
