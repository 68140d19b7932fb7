import type { ReactNode } from "react";

import "./state-page.css";

/** A page printed only in part. */
function UnfinishedSheet() {
  return (
    <svg className="state-page__sheet" viewBox="0 0 240 300" aria-hidden="true">
      <path d="M24 168V16H164L216 68V168M164 16V68H216" />
      <path className="state-page__rest" d="M24 168V284H216V168" />
      <path className="state-page__line" d="M52 100H188M52 128H188M52 156H140" />
      <path className="state-page__rest" d="M52 184H188M52 212H188M52 240H112" />
    </svg>
  );
}

type StatePageProps = {
  title: string;
  body: string;
  /** What the visitor can do. */
  children: ReactNode;
};

/** A page that says why its content is not shown. Part of the entry: it needs no further file. */
export function StatePage({ title, body, children }: StatePageProps) {
  return (
    <div className="state-page page-width">
      <div className="state-page__words">
        <h1 tabIndex={-1}>{title}</h1>
        <p className="state-page__body">{body}</p>
        <div className="state-page__actions">{children}</div>
      </div>
      <UnfinishedSheet />
    </div>
  );
}
