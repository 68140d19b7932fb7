import { describe, expect, it } from "vitest";

import { until } from "../testing/until.ts";
import { repeat } from "./repeat.ts";

const ignore = (): void => undefined;

describe("work that is repeated", () => {
  it("goes on at once while there is more, then after a pause", async () => {
    let passes = 0;
    const repetition = repeat({
      everyMs: 60_000,
      pass: async () => {
        passes += 1;
        return passes < 5 ? "again" : "wait";
      },
      onFailing: ignore,
    });
    await until("it pauses", () => passes === 5);
    await repetition.stop();
    expect(passes).toBe(5);
  });

  it("goes on after failures, and reports the first of a row only", async () => {
    const reported: unknown[] = [];
    let passes = 0;
    const repetition = repeat({
      everyMs: 1,
      pass: async () => {
        passes += 1;
        if (passes % 3 !== 0) throw new RangeError(String(passes));
        return "wait";
      },
      onFailing: (error) => reported.push(error),
    });
    await until("it failed again after it worked", () => passes >= 6);
    await repetition.stop();
    expect(reported.slice(0, 2)).toEqual([new RangeError("1"), new RangeError("4")]);
  });

  it("is stopped after the pass under way, and begins none after it", async () => {
    const begun = Promise.withResolvers<undefined>();
    const finish = Promise.withResolvers<undefined>();
    const steps: string[] = [];
    const repetition = repeat({
      everyMs: 1,
      pass: async (signal) => {
        begun.resolve(undefined);
        await finish.promise;
        steps.push(signal.aborted ? "aborted" : "not aborted");
        return "again";
      },
      onFailing: ignore,
    });
    await begun.promise;
    const stopping = repetition.stop().then(() => steps.push("stopped"));
    finish.resolve(undefined);
    await stopping;
    expect(steps).toEqual(["aborted", "stopped"]);
  });

  it("says for how long no pass succeeded", async () => {
    const repetition = repeat({
      everyMs: 1,
      pass: async () => {
        throw new RangeError("away");
      },
      onFailing: ignore,
    });
    await until("some time has passed", () => repetition.sinceSuccessMs() > 30);
    await repetition.stop();
    expect(repetition.sinceSuccessMs()).toBeGreaterThan(30);
  });
});
