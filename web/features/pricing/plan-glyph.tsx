import type { Plan } from "@pro-talent/schemas/subscription/plan";

import "./plan-glyph.css";

const sheet = "M8.5 5.5h17l8 8v27h-25Z M25.5 5.5v8h8";

/** A sheet of paper: written, with an address, and opened. */
export function PlanGlyph({ icon }: { icon: Plan["icon"] }) {
  return (
    <svg className="plan-glyph" width="42" height="46" viewBox="0 0 42 46" aria-hidden="true">
      <path d={sheet} />
      <path d="M13.5 20.5h15 M13.5 25.5h11" />
      {icon !== "sheet" && (
        <path d="M15.5 30.5h11a2 2 0 0 1 2 2v1a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2v-1a2 2 0 0 1 2-2Z M16.5 33h4" />
      )}
      {icon === "sheet" && <path d="M13.5 30.5h15 M13.5 35.5h7" />}
      {icon === "mark" && <circle cx="33.5" cy="40.5" r="5.5" />}
    </svg>
  );
}
