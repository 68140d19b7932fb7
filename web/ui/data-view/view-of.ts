/** What a view reads of a TanStack query's result. `paused`: the browser is offline. */
export type QueryState<Data> = {
  data: Data | undefined;
  error: Error | null;
  fetchStatus: "fetching" | "paused" | "idle";
  /** Milliseconds since 1970. */
  dataUpdatedAt: number;
  isPlaceholderData: boolean;
};

/** Why there is no content: the error of the call, or no connection. */
export type Cause = Error | "offline";

export type View<Data> =
  | { kind: "loading" }
  | { kind: "failed"; cause: Cause }
  | { kind: "first-empty" | "filtered-empty"; outdated: boolean }
  | { kind: "shown"; data: Data; outdated: boolean };

/** Which of its states a view is in. Content that arrived once is kept when an update fails. */
export function viewOf<Data>(
  { data, error, fetchStatus }: QueryState<Data>,
  isEmpty: (data: Data) => boolean,
  filtered: boolean,
): View<Data> {
  if (data === undefined) {
    if (error !== null) return { kind: "failed", cause: error };
    return fetchStatus === "paused" ? { kind: "failed", cause: "offline" } : { kind: "loading" };
  }
  const outdated = error !== null || fetchStatus === "paused";
  if (!isEmpty(data)) return { kind: "shown", data, outdated };
  return { kind: filtered ? "filtered-empty" : "first-empty", outdated };
}
