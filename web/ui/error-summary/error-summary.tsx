import { type MouseEvent, useEffect, useId, useRef } from "react";

import "./error-summary.css";

export type SummaryItem = { fieldId: string; text: string };

type ErrorSummaryProps = {
  title: string;
  items: readonly SummaryItem[];
  /** Each increase moves focus to the summary. */
  refusals: number;
};

function leadToField(event: MouseEvent, fieldId: string): void {
  const field = document.getElementById(fieldId);
  if (field === null) return;
  event.preventDefault();
  // The label must be visible too.
  (field.closest(".field") ?? field).scrollIntoView({ block: "nearest" });
  field.focus({ preventScroll: true });
}

/** All errors, each with a link to its field. */
export function ErrorSummary({ title, items, refusals }: ErrorSummaryProps) {
  const summary = useRef<HTMLElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (refusals > 0) summary.current?.focus();
  }, [refusals]);
  if (items.length === 0) return null;
  return (
    <section className="error-summary" ref={summary} tabIndex={-1} aria-labelledby={titleId}>
      <div role="alert">
        <h2 className="error-summary__title" id={titleId}>
          {title}
        </h2>
        <ul className="error-summary__items">
          {items.map(({ fieldId, text }) => (
            <li key={fieldId}>
              <a href={`#${fieldId}`} onClick={(event) => leadToField(event, fieldId)}>
                {text}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
