import type { Kinds } from "./compare-data-maps.ts";

/**
 * Assets about people that nothing erases, exports or scans. A new asset comes with what handles it: the
 * lists stay empty.
 */
export const unhandled: Readonly<Record<Kinds, readonly string[]>> = {
  eraser: [],
  exporter: [],
  scanner: [],
};
