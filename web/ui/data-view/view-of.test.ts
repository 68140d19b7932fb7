import { expect, test } from "vitest";

import { type QueryState, viewOf } from "./view-of.ts";

const idle: QueryState<readonly string[]> = {
  data: undefined,
  error: null,
  fetchStatus: "idle",
  dataUpdatedAt: 0,
  isPlaceholderData: false,
};
const failure = new Error("503");
const view = (state: Partial<QueryState<readonly string[]>>, filtered = false) =>
  viewOf({ ...idle, ...state }, (rows) => rows.length === 0, filtered);

test("before the first answer it loads", () => {
  expect(view({ fetchStatus: "fetching" })).toEqual({ kind: "loading" });
});

test("without an answer an error or a missing connection is shown", () => {
  expect(view({ error: failure })).toEqual({ kind: "failed", cause: failure });
  expect(view({ fetchStatus: "paused" })).toEqual({ kind: "failed", cause: "offline" });
});

test("nothing found is not the same as nothing there", () => {
  expect(view({ data: [] })).toEqual({ kind: "first-empty", outdated: false });
  expect(view({ data: [] }, true)).toEqual({ kind: "filtered-empty", outdated: false });
});

test("content stays while it is updated, and is marked when that fails", () => {
  const data = ["row"];
  expect(view({ data, fetchStatus: "fetching" })).toEqual({ kind: "shown", data, outdated: false });
  expect(view({ data, error: failure })).toEqual({ kind: "shown", data, outdated: true });
  expect(view({ data, fetchStatus: "paused" })).toEqual({ kind: "shown", data, outdated: true });
});
