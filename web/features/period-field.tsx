import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import { DateRange } from "../ui/date-range/date-range.tsx";
import { isPreset, periodIn, presetIds, withPeriod } from "./days-in-query.ts";

/** The period that the address asks for, to be changed. Its texts are those of the page of traffic. */
export function PeriodField({ today }: { today: string }) {
  const { t } = useTranslation("traffic");
  const [search, setSearch] = useSearchParams();
  const put = (period: Parameters<typeof withPeriod>[1]): void =>
    setSearch(withPeriod(search, period), { replace: true });
  return (
    <DateRange
      texts={{
        legend: t("period.legend"),
        custom: t("period.custom"),
        calendar: t("period.calendar"),
      }}
      presets={presetIds.map((id) => ({ id, label: t(`period.${id}`) }))}
      value={periodIn(search)}
      lastDay={today}
      onChange={(value) => {
        if ("days" in value) put(value);
        else if (isPreset(value.preset)) put({ preset: value.preset });
      }}
    />
  );
}
