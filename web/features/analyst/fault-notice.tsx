import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import type { QueryFault } from "./analyst-calls.ts";

const codes = [
  "query_wrong",
  "query_refused",
  "query_limited",
  "queries_running",
  "query_quota_used",
  "upstream_unavailable",
  "broken",
] as const;

type FaultNoticeProps = {
  fault: QueryFault | undefined;
  /** Leads to the place in the editor; undefined when its text has changed. */
  onGo: (() => void) | undefined;
};

/** Why a query was not answered, and where; the engine's own words are in English. */
export function FaultNotice({ fault, onGo }: FaultNoticeProps) {
  const { t } = useTranslation("analyst");
  const code = codes.find((one) => one === fault?.code) ?? "other";
  return (
    <Notice kind="error">
      {fault !== undefined && (
        <div className="query-fault">
          <strong>{t(`failed.${code}`)}</strong>
          {fault.place !== undefined && <span>{t("failed.place", fault.place)}</span>}
          {fault.message === "" ? (
            <p>{t("failed.again")}</p>
          ) : (
            <p lang="en" dir="ltr" className="query-fault__message">
              {fault.message}
            </p>
          )}
          {fault.place !== undefined && onGo !== undefined && (
            <Button onClick={onGo}>{t("failed.goTo")}</Button>
          )}
        </div>
      )}
    </Notice>
  );
}
