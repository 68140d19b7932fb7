import { expect, test } from "vitest";

import { seenPercent } from "./engagement.ts";
import { PageUse } from "./page-use.ts";

/** A page of 2,000 pixels in a window of 500, with a clock that a test moves. */
class SimulatedPage {
  nowMs = 0;
  attended = true;
  scrollY = 0;
  readonly use: PageUse;

  constructor() {
    this.use = new PageUse(
      {
        now: () => this.nowMs,
        attended: () => this.attended,
        viewport: () => ({ scrollY: this.scrollY, innerHeight: 500, scrollHeight: 2000 }),
      },
      "/",
      0,
    );
    this.use.look();
  }

  /** The visitor reads for some seconds, moving the pointer now and then. */
  read(seconds: number): void {
    for (let second = 0; second < seconds; second += 1) {
      this.nowMs += 1000;
      this.use.use();
    }
  }

  leaveTab(seconds: number): void {
    this.attended = false;
    this.use.attend();
    this.nowMs += seconds * 1000;
    this.attended = true;
    this.use.attend();
  }

  scrollTo(y: number): void {
    this.scrollY = y;
    this.use.look();
  }

  reported() {
    return this.use.take()?.eventData;
  }
}

test("the time of a page is that in which it was visible and in focus", () => {
  const page = new SimulatedPage();
  page.read(10);
  page.leaveTab(600);
  page.read(5);
  expect(page.reported()).toMatchObject({ engagedMs: 15_000, scrollDepth: 25 });
});

test("a page that lies open without input counts for thirty seconds", () => {
  const page = new SimulatedPage();
  page.read(10);
  page.nowMs += 3_600_000;
  expect(page.reported()).toMatchObject({ engagedMs: 40_000 });
  page.nowMs += 3_600_000;
  expect(page.reported()).toBeUndefined();
  // The hand on the pointer begins a new use.
  page.read(3);
  expect(page.reported()).toMatchObject({ engagedMs: 2_000 });
});

test("what was reported is never reported again: a page hidden twice adds up", () => {
  const page = new SimulatedPage();
  page.read(10);
  const first = page.reported();
  expect(page.reported()).toBeUndefined();
  page.leaveTab(60);
  page.read(4);
  const second = page.reported();
  expect([first?.engagedMs, second?.engagedMs]).toEqual([10_000, 4_000]);
  expect(second?.pageView).toBe(first?.pageView);
});

test("the depth is the greatest, whatever is scrolled back, and alone worth a report", () => {
  const page = new SimulatedPage();
  page.scrollTo(1_000);
  page.scrollTo(0);
  expect(page.reported()).toMatchObject({ scrollDepth: 75 });
  page.scrollTo(1_500);
  expect(page.reported()).toMatchObject({ engagedMs: 0, scrollDepth: 100 });
});

test("another page of the same document begins at nothing, as another view", () => {
  const page = new SimulatedPage();
  page.read(10);
  page.scrollTo(1_500);
  const left = page.use.leave("/pricing");
  expect(left?.eventData).toMatchObject({ engagedMs: 10_000, scrollDepth: 100 });
  expect(page.use.page).toBe("/pricing");
  page.scrollTo(0);
  page.read(2);
  const next = page.reported();
  expect(next).toMatchObject({ engagedMs: 2_000, scrollDepth: 25 });
  expect(next?.pageView).not.toBe(left?.eventData.pageView);
});

test("a page that was never in focus has no time", () => {
  const page = new SimulatedPage();
  page.attended = false;
  page.use.attend();
  page.nowMs += 20_000;
  expect(page.reported()).toMatchObject({ engagedMs: 0 });
});

test.each([
  [{ scrollY: 0, innerHeight: 800, scrollHeight: 700 }, 100],
  [{ scrollY: 0, innerHeight: 0, scrollHeight: 0 }, 100],
  [{ scrollY: -200, innerHeight: 100, scrollHeight: 1000 }, 0],
  [{ scrollY: 5000, innerHeight: 500, scrollHeight: 2000 }, 100],
  [{ scrollY: 333.4, innerHeight: 500, scrollHeight: 2000 }, 42],
])("of %j %i percent were seen", (viewport, percent) => {
  expect(seenPercent(viewport)).toBe(percent);
});
