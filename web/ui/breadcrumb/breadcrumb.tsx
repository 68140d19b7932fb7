import type { ReactNode } from "react";

import "./breadcrumb.css";

/** Where a page stands: links to what is above it, then its own name. */
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
