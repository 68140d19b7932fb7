import { useState } from "react";

import { Button } from "../button/button.tsx";
import type { Example, ExampleText } from "../example.ts";
import { DataTable } from "./data-table.tsx";
import type { Column, TableSelection, TableView } from "./table-model.ts";

type Link = { id: string; name: string; sent: string; opens: number };

const links: readonly Link[] = [
  { id: "a", name: "Acme", sent: "2026-01-09", opens: 2 },
  { id: "b", name: "אוריון בע״מ", sent: "2026-01-12", opens: 14 },
  { id: "c", name: "Vega Systems (Berlin)", sent: "2025-12-28", opens: 0 },
];
const many: readonly Link[] = Array.from({ length: 5000 }, (_, index) => ({
  id: String(index),
  name: `Company ${index + 1}`,
  sent: "2026-01-09",
  opens: (index * 7) % 23,
}));

const columnsIn = (text: ExampleText): readonly Column<Link>[] => [
  {
    id: "name",
    header: text("Recipient", "נמען"),
    value: ({ name }) => name,
    cell: ({ name }) => <bdi>{name}</bdi>,
  },
  {
    id: "sent",
    header: text("Sent", "נשלח"),
    value: ({ sent }) => sent,
    cell: ({ sent }) => <time dateTime={sent}>{sent}</time>,
  },
  { id: "opens", header: text("Opens", "פתיחות"), value: ({ opens }) => opens, numeric: true },
];
const columns = {
  en: columnsIn((english) => english),
  he: columnsIn((_, hebrew) => hebrew),
};

type TableProps = { text: ExampleText; rows: readonly Link[]; caption: string; selects?: boolean };

function Bar({ text, count }: { text: ExampleText; count: number }) {
  return (
    <>
      <span>{text(`${count} selected`, `נבחרו ${count}`)}</span>
      <Button>{text("Archive", "לארכיון")}</Button>
    </>
  );
}

function Table({ text, rows, caption, selects = false }: TableProps) {
  const [view, setView] = useState<TableView>({ filter: "", sort: undefined });
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const selection: TableSelection<Link> = {
    ids,
    onChange: setIds,
    allLabel: text("Select all", "לבחור הכול"),
    rowLabel: ({ name }) => text(`Select ${name}`, `לבחור את ${name}`),
    bar: <Bar text={text} count={ids.size} />,
  };
  return (
    <DataTable
      texts={{
        caption,
        filter: text("Filter by recipient", "סינון לפי נמען"),
        clearFilter: text("Clear the filter", "לנקות את הסינון"),
        noMatch: text("No link matches", "אין קישור מתאים"),
        count: (shown, all) => text(`${shown} of ${all} links`, `${shown} מתוך ${all} קישורים`),
      }}
      columns={columns[text("en", "he") === "he" ? "he" : "en"]}
      rows={rows}
      rowId={({ id }) => id}
      view={view}
      onView={setView}
      {...(selects ? { selection } : {})}
    />
  );
}

export const examples: readonly Example[] = [
  {
    name: "sorted by its header, filtered, with rows to select",
    draw: (text) => (
      <Table text={text} rows={links} caption={text("Share links", "קישורים לשיתוף")} selects />
    ),
  },
  {
    name: "5,000 rows, of which those in sight are rendered",
    draw: (text) => (
      <Table text={text} rows={many} caption={text("All companies", "כל החברות")} selects />
    ),
  },
];
