import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import { Button } from "../../../ui/button/button.tsx";
import { DateRange, type DateRangeValue } from "../../../ui/date-range/date-range.tsx";
import { todayIn } from "../../days-in-query.ts";
import { type AskedRange, daysOfRange, usualDays, withRange } from "./range.ts";
import type { DashboardContent } from "./work-queries.ts";
import { useWorkTexts } from "./work-texts.ts";

type RangeProps = {
  range: AskedRange;
  saved: DashboardContent["range"];
  onKeep: (() => void) | undefined;
};

const valueOf = (range: AskedRange): DateRangeValue => {
  if (range.kind === "last") return { preset: String(range.days) };
  if (range.from === undefined) return { days: undefined };
  return { days: { from: range.from, to: range.to } };
};

/** The days of all tiles, in the address. */
export function RangeFields({ range, saved, onKeep }: RangeProps) {
  const today = todayIn("UTC");
  const { t } = useTranslation("analyst-work");
  const { day } = useWorkTexts();
  const [search, setSearch] = useSearchParams();
  const { from, to } = daysOfRange(range, today);
  const own = saved.kind === "last" ? [saved.days] : [];
  const offered = [...new Set([...usualDays, ...own])].toSorted((one, other) => one - other);
  const put = (next: AskedRange): void =>
    setSearch(withRange(search, next), { replace: true, preventScrollReset: true });
  return (
    <div className="analysis__range">
      <DateRange
        texts={{
          legend: t("dashboard.range"),
          custom: t("dashboard.custom"),
          calendar: t("dashboard.calendar"),
        }}
        presets={offered.map((days) => ({
          id: String(days),
          label: t("dashboard.last", { count: days }),
        }))}
        value={valueOf(range)}
        lastDay={daysOfRange({ kind: "last", days: 1 }, today).to}
        onChange={(value) => {
          if ("preset" in value) put({ kind: "last", days: Number(value.preset) });
          else if (value.days === undefined) put({ kind: "days", from: undefined, to: undefined });
          else put({ kind: "days", ...value.days });
        }}
      />
      <p className="work-quiet">
        {t("dashboard.until", { from: day(from), to: day(to) })}{" "}
        {onKeep !== undefined && (
          <Button variant="text" onClick={onKeep}>
            {t("dashboard.keepRange")}
          </Button>
        )}
      </p>
    </div>
  );
}
