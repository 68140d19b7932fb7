import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { lazyPart } from "../lazy-part.tsx";
import { useViewTexts } from "../view-texts.ts";
import { Consents } from "./consents.tsx";
import { HeldData } from "./held-data.tsx";
import { OwnRequests } from "./own-requests.tsx";
import { consentsQuery, heldQuery } from "./privacy-calls.ts";
import { Part } from "./privacy-part.tsx";
import { type OwnRequest, requestsQuery } from "./requests-query.ts";

import "../account/settings.css";
import "./privacy-page.css";

/** The forms, with their machines. */
const RequestParts = lazyPart(async () => (await import("./request-parts.tsx")).RequestParts);

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
    RequestParts.load().catch(() => undefined);
  }, []);
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <div className="settings">
        <HeldPart />
        <RequestsPart query={query} />
        {requests !== undefined && (
          <Suspense fallback={<Skeleton shape="block" count={3} />}>
            <RequestParts requests={requests} />
          </Suspense>
        )}
        <ConsentsPart />
      </div>
    </>
  );
}
