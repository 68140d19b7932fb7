import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";

import { openStudioUnderTest, type Studio } from "./testing/studio-under-test.ts";
import { type Act, editedCv, runTabs, type Transport } from "./testing/writers.ts";

let studio: Studio;
beforeAll(async () => {
  studio = await openStudioUnderTest();
});
afterAll(() => studio.drop());

const acts = (does: readonly Act["does"][]) =>
  fc.array(
    fc.record({
      tab: fc.constantFrom(0 as const, 1 as const),
      does: fc.constantFrom(...does),
      answers: fc.boolean(),
    }),
    { minLength: 4, maxLength: 16 },
  );

async function outcomeOf(done: readonly Act[]) {
  const { accountId, cv } = await studio.make({ document: editedCv() });
  const transport: Transport = async (method, path, body) => {
    const answer = await studio.call(accountId, `${method} ${path}`, body);
    return { status: answer.statusCode, body: answer.json() };
  };
  return runTabs(cv, done, transport);
}

const writing = ["heading", "entry", "bullet", "role", "reorder", "save", "save"] as const;
/** For a busy machine. */
const generousMs = 180_000;
const settings = { numRuns: 6, seed: 19, endOnFailure: true };

it(
  "of two tabs with lost answers nothing that was saved is lost, and both show the same in the end",
  async () => {
    await fc.assert(
      fc.asyncProperty(acts(writing), async (done) => {
        const { lost, missing, agree } = await outcomeOf(done);
        expect({ lost, missing, agree }).toEqual({ lost: [], missing: [], agree: true });
      }),
      settings,
    );
  },
  generousMs,
);

it(
  "what is taken back in one tab while the other one writes stays in the history",
  async () => {
    await fc.assert(
      fc.asyncProperty(acts([...writing, "undo", "redo"]), async (done) => {
        const { lost, agree } = await outcomeOf(done);
        expect({ lost, agree }).toEqual({ lost: [], agree: true });
      }),
      settings,
    );
  },
  generousMs,
);
