import type { Traces } from "@pro-talent/schemas/primitives/traces";

type Waiting<Result> = {
  readonly traces: Traces;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/** Searches of one pass: their patterns are in memory together. */
const searchesMax = 50;

/**
 * Shares passes over a store: searches that are asked for while one runs wait, and share the next one,
 * so that many erasures of a day cost few passes.
 * @param pass answers each search, in their order
 */
export function searchTogether<Result>(
  pass: (searches: readonly Traces[]) => Promise<readonly Result[]>,
): (traces: Traces) => Promise<Result> {
  const waiting: Waiting<Result>[] = [];
  let running = false;
  const run = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, searchesMax);
      try {
        const results = await pass(batch.map(({ traces }) => traces));
        for (const [place, { resolve, reject }] of batch.entries()) {
          const result = results[place];
          if (result === undefined) reject(new Error("A search was not answered"));
          else resolve(result);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  };
  return (traces) =>
    new Promise((resolve, reject) => {
      waiting.push({ traces, resolve, reject });
      if (!running) void run();
    });
}
