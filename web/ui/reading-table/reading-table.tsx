import type { ReactNode } from "react";

import "./reading-table.css";

type Column = { id: string; header: string; numeric?: boolean };

type ReadingTableProps = {
  caption: string;
  /** The first column names the row. */
  columns: readonly Column[];
  rows: readonly { id: string; cells: Readonly<Record<string, ReactNode>> }[];
};

/** A reading table; on phones each row is a slip with the headers beside its values. */
export function ReadingTable({ caption, columns, rows }: ReadingTableProps) {
  return (
    <table className="reading-table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ id, header, numeric = false }) => (
            <th key={id} scope="col" data-numeric={numeric}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells }) => (
          <tr key={id}>
            {columns.map(({ id: column, header, numeric = false }, index) =>
              index === 0 ? (
                <th key={column} scope="row">
                  {cells[column]}
                </th>
              ) : (
                <td key={column} data-column={header} data-numeric={numeric}>
                  {cells[column]}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
