import { useState } from "react";

import type { Example, ExampleText } from "../example.ts";
import { DateRange, type DateRangeValue } from "./date-range.tsx";

function Working({ text, initial }: { text: ExampleText; initial: DateRangeValue }) {
  const [value, setValue] = useState(initial);
  const days = "days" in value ? value.days : undefined;
  return (
    <div>
      <DateRange
        texts={{
          legend: text("Period", "תקופה"),
          custom: text("Custom", "בחירה חופשית"),
          calendar: text("Days of the period", "ימי התקופה"),
        }}
        presets={[
          { id: "week", label: text("7 days", "7 ימים") },
          { id: "month", label: text("30 days", "30 ימים") },
        ]}
        value={value}
        onChange={setValue}
        lastDay="2026-01-20"
      />
      <output dir="ltr">{days && `${days.from} / ${days.to}`}</output>
    </div>
  );
}

export const examples: readonly Example[] = [
  {
    name: "a usual period",
    draw: (text) => <Working text={text} initial={{ preset: "week" }} />,
  },
  {
    name: "days of one's own",
    draw: (text) => (
      <Working text={text} initial={{ days: { from: "2026-01-08", to: "2026-01-13" } }} />
    ),
  },
];
