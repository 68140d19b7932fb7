import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { lazyPart } from "../../lazy-part.tsx";
import { useViewTexts } from "../../view-texts.ts";
import { Consents, consentsQuery } from "./consents.tsx";
import { HeldData, heldQuery } from "./held-data.tsx";
import { OwnRequests } from "./own-requests.tsx";
import { Part } from "./privacy-part.tsx";
import { type OwnRequest, requestsQuery } from "./requests-query.ts";

import "../settings.css";
import "./privacy-page.css";

const RequestForms = lazyPart(async () => (await import("./request-forms.tsx")).RequestForms);

/** What needs no request. */
const elsewhere = [
  { name: "profile", to: "/account/profile" },
  { name: "visits", to: "/cookie-policy" },
] as const;

function ElsewherePart() {
  const { t } = useTranslation("account-privacy");
  return (
    <Part name="elsewhere">
      <ul className="settings__rows">
        {elsewhere.map(({ name, to }) => (
          <li key={name} className="privacy-elsewhere">
            <a href={to}>{t(`elsewhere.${name}`)}</a>
            <p className="settings__note">{t(`elsewhere.${name}Body`)}</p>
          </li>
        ))}
      </ul>
    </Part>
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
        {({ consents }) => (
          <div className="settings__content">
            <Consents consents={consents} />
          </div>
        )}
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

/** The requests of the account's holder, its deletion, and where the other rights are exercised. */
export function PrivacyPage() {
  const { t } = useTranslation("account-privacy");
  const query = useQuery(requestsQuery);
  const requests = query.data?.requests;
  useEffect(() => {
    // What fails here is loaded anew when it is shown.
    RequestForms.load().catch(() => undefined);
  }, []);
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <div className="settings">
        <RequestsPart query={query} />
        {requests !== undefined && (
          <Suspense fallback={<Skeleton shape="block" count={3} />}>
            <RequestForms requests={requests} />
          </Suspense>
        )}
        <ConsentsPart />
        <HeldPart />
        <ElsewherePart />
      </div>
    </>
  );
}
