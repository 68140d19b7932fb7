import type { ReactNode } from "react";

import "./breadcrumb.css";

export function Breadcrumb({
  label,
  above,
  current,
}: {
  label: string;
  above: readonly { id: string; link: ReactNode }[];
  current: string;
}) {
  return (
    <nav aria-label={label}>
      <ol className="breadcrumb">
        {above.map(({ id, link }) => (
          <li key={id}>{link}</li>
        ))}
        <li aria-current="page">{current}</li>
      </ol>
    </nav>
  );
}
