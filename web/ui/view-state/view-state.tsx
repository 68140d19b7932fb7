import type { ReactNode } from "react";

import "./view-state.css";

type SheetProps = {
  mark: ReactNode;
  title: string;
  /** What it means, in one or two sentences. */
  children?: ReactNode;
  /** One button or link. */
  action?: ReactNode;
  variant: "empty" | "failure";
};

function Sheet({ mark, title, children, action, variant }: SheetProps) {
  return (
    <div className={`view-state view-state--${variant}`}>
      <svg className="view-state__mark" viewBox="0 0 48 48" aria-hidden="true">
        {mark}
      </svg>
      <div className="view-state__text">
        <p className="view-state__title">{title}</p>
        {children}
      </div>
      {action !== undefined && <div className="view-state__action">{action}</div>}
    </div>
  );
}

export type EmptyStateProps = { title: string; body?: ReactNode; action?: ReactNode };

/** Nothing is there yet: the ring of the "opened" mark, not drawn yet, and one way to begin. */
export function EmptyState({ title, body, action }: EmptyStateProps) {
  return (
    <Sheet
      variant="empty"
      title={title}
      action={action}
      mark={<ellipse cx="24" cy="24" rx="21" ry="15" transform="rotate(-8 24 24)" />}
    >
      {body !== undefined && <p>{body}</p>}
    </Sheet>
  );
}

export type FailureStateProps = EmptyStateProps & {
  /** Identifies the failure for support; `label` names it. */
  support?: { label: string; id: string } | undefined;
};

/** The content cannot be shown: what happened, what to do, and what to quote to support. */
export function FailureState({ title, body, action, support }: FailureStateProps) {
  return (
    <Sheet
      variant="failure"
      title={title}
      action={action}
      mark={<path d="M6 28C14 16 20 34 26 22 M32 30 42 20 M32 20 42 30" />}
    >
      {body !== undefined && <p>{body}</p>}
      {support !== undefined && (
        <p className="view-state__support">
          {support.label}{" "}
          <code dir="ltr" className="view-state__id">
            {support.id}
          </code>
        </p>
      )}
    </Sheet>
  );
}
