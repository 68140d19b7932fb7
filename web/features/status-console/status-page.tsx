import { queryOptions, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useViewTexts } from "../view-texts.ts";
import { ParkedAccounts } from "./parked-accounts.tsx";
import { StatusView } from "./status-parts.tsx";

import "./status-page.css";

const statusQuery = queryOptions({
  queryKey: ["console", "status"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/console/status", {})),
  refetchInterval: 15_000,
});

/** How the product runs, and the accounts whose billing is stopped. */
export function StatusPage() {
  const { t } = useTranslation("status");
  const query = useQuery(statusQuery);
  const { texts, describe } = useViewTexts(t("loading"));
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <div className="status">
        <DataView
          query={query}
          texts={texts}
          skeleton={<Skeleton shape="row" count={6} />}
          isEmpty={({ processes }) => processes.length === 0}
          empty={{ title: t("nothing.title"), body: t("nothing.body") }}
          describe={describe}
          partial={({ processes }) =>
            processes.some(({ state }) => state === "away") ? t("partial") : undefined
          }
        >
          {(status) => <StatusView status={status} />}
        </DataView>
        <ParkedAccounts />
      </div>
    </>
  );
}
