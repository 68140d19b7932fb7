import { expect, vi } from "vitest";
import type { EventObject } from "xstate";

import type { Language, Visitor } from "./fixtures.ts";
import { type ForcedAnswer, ForcedAnswers } from "./forced-answers.ts";
import type { Way } from "./machine-paths.ts";

const patience = { timeout: 5_000, interval: 20 };

/** How the ways of a machine are followed on its page. */
export type Place<Snapshot> = {
  /** Opens the page as new. */
  open: (visitor: Visitor, answers: ForcedAnswers) => Promise<unknown>;
  /** What is answered by the events. */
  calls: readonly string[];
  /** The answer of the platform that causes this event; undefined for what a person does. */
  answerOf: (event: EventObject) => ForcedAnswer | "cut" | undefined;
  act: (visitor: Visitor, event: EventObject) => Promise<void>;
  shows: (visitor: Visitor, language: Language, state: Snapshot) => Promise<void>;
  /** Whether a call is under way in this state; it is the only one, also after two presses. */
  asks?: (state: Snapshot) => boolean;
};

type Walk<Snapshot> = { visitor: Visitor; language: Language; place: Place<Snapshot> };

/** Follows one way; returns where page and machine differ. */
export async function followWay<Snapshot>(
  { visitor, language, place }: Walk<Snapshot>,
  answers: ForcedAnswers,
  way: Way<Snapshot>,
): Promise<string | undefined> {
  // The page of the way before could still ask something, and would take an answer meant for this.
  await visitor.page.goto("/robots.txt");
  answers.forget();
  await place.open(visitor, answers);
  for (const { event, state } of way.steps) {
    const forced = place.answerOf(event);
    try {
      if (forced === "cut") await answers.cut();
      else if (forced === undefined) await place.act(visitor, event);
      else await answers.answer(forced);
      await vi.waitFor(() => place.shows(visitor, language, state), patience);
      const calls = place.asks?.(state) === true ? 1 : 0;
      // The page shows that it waits before its call arrives here.
      if (place.asks !== undefined)
        await vi.waitFor(() => expect(answers.waiting).toBe(calls), patience);
    } catch (error) {
      return `${way.name}: after ${event.type}: ${String(error)}`;
    }
  }
  return undefined;
}

/**
 * Follows half of the ways in each language and returns those where the page differs. Other journeys
 * check the texts of each state in both languages.
 */
export async function followHalf<Snapshot>(
  walk: Walk<Snapshot>,
  ways: readonly Way<Snapshot>[],
): Promise<string[]> {
  const answers = new ForcedAnswers();
  await answers.takeOver(walk.visitor.page, ...walk.place.calls);
  const astray: string[] = [];
  for (const way of ways.filter((_, index) => index % 2 === (walk.language === "en" ? 0 : 1))) {
    const fault = await followWay(walk, answers, way);
    if (fault !== undefined) astray.push(fault);
  }
  return astray;
}
