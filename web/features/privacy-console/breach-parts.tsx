import { noticeHours } from "@pro-talent/schemas/breaches/kinds";
import { useTranslation } from "react-i18next";

import type { ListedBreach } from "./breach-queries.ts";
import { useNow } from "./use-now.ts";

const hourMs = 60 * 60_000;

/** Hours from now until the end of the 72, in whole ones; negative when it has passed. */
function useHoursLeft(notifyBy: string): number {
  const left = (Date.parse(notifyBy) - useNow()) / hourMs;
  return left > 0 ? Math.ceil(left) : Math.floor(left);
}

/** How much of the 72 hours is left, as long as it is not settled whether the authority is notified. */
export function Countdown({ breach }: { breach: ListedBreach }) {
  const { t } = useTranslation("breaches");
  const left = useHoursLeft(breach.notifyBy);
  const isRunning = breach.authority === "open" || breach.authority === "to-send";
  if (!isRunning) return <span className="privacy-queue__quiet">{t("settled")}</span>;
  return (
    <span className="breach__countdown" data-urgent={left <= 24}>
      <strong>{t(left > 0 ? "hoursLeft" : "hoursLate", { count: Math.abs(left) })}</strong>
      <meter max={noticeHours} value={Math.max(0, left)} aria-hidden />
    </span>
  );
}
