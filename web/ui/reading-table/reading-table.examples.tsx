import type { Example } from "../example.ts";
import { ReadingTable } from "./reading-table.tsx";

export const examples: readonly Example[] = [
  {
    name: "a reading table, on phones a slip for each row",
    draw: (text) => (
      <ReadingTable
        caption={text("Payments", "תשלומים")}
        columns={[
          { id: "day", header: text("Day", "יום") },
          { id: "for", header: text("For", "עבור") },
          { id: "amount", header: text("Amount", "סכום"), numeric: true },
        ]}
        rows={[
          {
            id: "2",
            cells: {
              day: text("February 1, 2026", "1 בפברואר 2026"),
              for: text("Premium, a month", "פרימיום, חודש"),
              amount: "$20",
            },
          },
          {
            id: "1",
            cells: {
              day: text("January 1, 2026", "1 בינואר 2026"),
              for: text("Essential, a month", "אסנשיאל, חודש"),
              amount: "$10",
            },
          },
        ]}
      />
    ),
  },
];
