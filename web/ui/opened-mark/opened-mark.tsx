import type { ReactNode } from "react";

import "./opened-mark.css";

/** A pen ring around what was opened. It means "opened" and is never decoration. */
export function OpenedMark({ children }: { children: ReactNode }) {
  return (
    <span className="opened-mark">
      <svg
        className="opened-mark__ring"
        viewBox="0 0 200 100"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path
          d="M168 17C140 4 62 2 24 26C-8 47 6 82 62 93C124 104 190 86 195 52C199 24 150 6 88 11"
          pathLength="1"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.5"
          strokeLinecap="round"
        />
      </svg>
      {children}
    </span>
  );
}
