import { queryOptions, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import type { CallAnswer } from "../../api-client/request.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { ReadingTable } from "../../ui/reading-table/reading-table.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useViewTexts } from "../view-texts.ts";

import "./privacy-console.css";

type Answer = CallAnswer<"GET /api/console/privacy/inactive">;
type Inactive = Answer["accounts"][number];

const inactiveQuery = queryOptions({
  queryKey: ["console", "privacy", "inactive"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/console/privacy/inactive", {})),
});

/** Where the notices stand; why nothing is deleted, or the request that does it. */
function Stage({ account: { stage, exemption, requestId } }: { account: Inactive }) {
  const { t } = useTranslation("inactive-accounts");
  if (requestId !== null)
    return (
      <Link className="privacy-queue__open" to={`/console/privacy/requests/${requestId}`}>
        {t(`stages.${stage}`)}
      </Link>
    );
  return (
    <span>
      {t(`stages.${stage}`)}
      {exemption !== null && (
        <span className="privacy-queue__quiet"> {t(`exemptions.${exemption}`)}</span>
      )}
    </span>
  );
}

const columns = ["account", "activeOn", "stage", "plannedOn"] as const;
/** Their deletion has no date while this is so. */
const undated: ReadonlySet<Inactive["stage"]> = new Set(["undeliverable", "exempt"]);

function InactiveTable({ accounts }: Pick<Answer, "accounts">) {
  const { t } = useTranslation("inactive-accounts");
  const date = new Intl.DateTimeFormat(useLanguage(), { dateStyle: "medium", timeZone: "UTC" });
  const shown = (day: string) => <time dateTime={day}>{date.format(Date.parse(day))}</time>;
  return (
    <ReadingTable
      caption={t("table.caption")}
      columns={columns.map((id) => ({ id, header: t(`table.${id}`) }))}
      rows={accounts.map((account) => ({
        id: account.accountId,
        cells: {
          account: <code dir="ltr">{account.accountId.slice(0, 8)}</code>,
          activeOn: shown(account.activeOn),
          stage: <Stage account={account} />,
          plannedOn: undated.has(account.stage) ? t("undated") : shown(account.plannedOn),
        },
      }))}
    />
  );
}

/** Accounts that are not used, for privacy officers: without names, because nothing is decided here. */
export function InactivePage() {
  const { t } = useTranslation("inactive-accounts");
  const inactive = useQuery(inactiveQuery);
  const { texts, describe } = useViewTexts(t("loading"));
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <DataView
        query={inactive}
        texts={texts}
        skeleton={<Skeleton shape="row" count={6} />}
        isEmpty={({ accounts }) => accounts.length === 0}
        empty={{ title: t("empty.title"), body: t("empty.body") }}
        describe={describe}
        partial={({ accounts, total }) =>
          accounts.length < total ? t("partial", { shown: accounts.length, total }) : undefined
        }
      >
        {({ accounts }) => <InactiveTable accounts={accounts} />}
      </DataView>
    </>
  );
}
