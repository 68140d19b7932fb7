import { type ReactNode, useRef } from "react";

import { Button } from "../button/button.tsx";
import {
  EmptyState,
  type EmptyStateProps,
  FailureState,
  type FailureStateProps,
} from "../view-state/view-state.tsx";
import { type Cause, type QueryState, type View, viewOf } from "./view-of.ts";

import "./data-view.css";

export type DataViewTexts = {
  /** Announced while the first answer is awaited. */
  loading: string;
  retry: string;
  clearFilter: string;
  /** Content is shown that could not be updated since then. */
  outdated: (since: Date) => string;
};

/** How a failure is described. `denied`: asking again would not help. */
export type FailureText = Pick<FailureStateProps, "title" | "body" | "support"> & {
  denied?: boolean;
};

type DataViewProps<Data> = {
  /** A result of `useQuery`. */
  query: QueryState<Data> & { refetch: () => Promise<unknown> };
  texts: DataViewTexts;
  /** The outline of the content, of the same size. */
  skeleton: ReactNode;
  isEmpty: (data: Data) => boolean;
  /** The invitation of a first visit, with one action. */
  empty: EmptyStateProps;
  /** Only while a filter is set: what is shown when it matches nothing. */
  filter?: (Pick<EmptyStateProps, "title" | "body"> & { onClear: () => void }) | undefined;
  describe: (cause: Cause) => FailureText;
  /** What is missing from the content, if anything is. */
  partial?: (data: Data) => string | undefined;
  children: (data: Data) => ReactNode;
};

function Note({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <p className="data-view__note">
      <span>{text}</span>
      {children}
    </p>
  );
}

type BodyProps<Data> = {
  props: DataViewProps<Data>;
  view: View<Data>;
  failure: FailureText | undefined;
  again: ReactNode;
  onClear: () => void;
};

function Body<Data>({ props, view, failure, again, onClear }: BodyProps<Data>) {
  const { query, texts, skeleton, empty, filter, children } = props;
  switch (view.kind) {
    case "loading":
      return skeleton;
    case "failed":
      return failure && <FailureState {...failure} action={failure.denied ? undefined : again} />;
    case "first-empty":
      return <EmptyState {...empty} />;
    case "filtered-empty":
      return (
        filter && (
          <EmptyState
            title={filter.title}
            body={filter.body}
            action={<Button onClick={onClear}>{texts.clearFilter}</Button>}
          />
        )
      );
    case "shown":
      return (
        <div className="data-view__content" data-previous={query.isPlaceholderData}>
          {children(view.data)}
        </div>
      );
  }
}

/**
 * What the server knows, in one of six states: loading, empty at first, empty by a filter, shown in
 * part or outdated, failed, and not allowed. Content that has been shown stays while it is updated.
 */
export function DataView<Data>(props: DataViewProps<Data>) {
  const { query, texts, filter } = props;
  const place = useRef<HTMLElement>(null);
  const view = viewOf(query, props.isEmpty, filter !== undefined);
  const failure = view.kind === "failed" ? props.describe(view.cause) : undefined;
  // The button is gone after its press, so the view takes the focus.
  const leaving = (action: () => unknown) => (): void => {
    place.current?.focus({ preventScroll: true });
    action();
  };
  const again = <Button onClick={leaving(query.refetch)}>{texts.retry}</Button>;
  const outdated = "outdated" in view && view.outdated;
  const partial = view.kind === "shown" ? props.partial?.(view.data) : undefined;
  const announced = {
    loading: texts.loading,
    failed: failure?.title,
    "filtered-empty": filter?.title,
    "first-empty": undefined,
    shown: undefined,
  };
  return (
    <section
      ref={place}
      className="data-view"
      tabIndex={-1}
      aria-busy={query.fetchStatus === "fetching"}
    >
      <output className="visually-hidden">{announced[view.kind]}</output>
      {outdated && <Note text={texts.outdated(new Date(query.dataUpdatedAt))}>{again}</Note>}
      {partial !== undefined && <Note text={partial} />}
      <Body
        props={props}
        view={view}
        failure={failure}
        again={again}
        onClear={leaving(() => filter?.onClear())}
      />
    </section>
  );
}
