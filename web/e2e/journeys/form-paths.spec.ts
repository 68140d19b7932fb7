import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createActor, type EventObject } from "xstate";
import { getShortestPaths } from "xstate/graph";

import { contactMachine } from "../../features/contact/contact-form.machine.ts";
import type { ContactEvent } from "../../features/contact/contact-view.ts";
import { confirmMachine } from "../../features/newsletter/confirmation/confirm.machine.ts";
import { newsletterMachine } from "../../features/newsletter/newsletter-form.machine.ts";
import { waitlistMachine } from "../../features/newsletter/waitlist-form.machine.ts";
import { type Language, type Stack, startPages, type Visitor } from "../fixtures.ts";
import { ForcedAnswers, takeReports } from "../forced-answers.ts";
import {
  answerOf,
  confirmShows,
  contactShows,
  doInConfirm,
  doInContact,
  doInSubscribeForm,
  newsletterShows,
  waitlistShows,
} from "../form-driver.ts";
import { type Way, waysOf } from "../machine-paths.ts";
import { consentGiven } from "../site-paths.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const patience = { timeout: 5_000, interval: 20 };

type Place<Snapshot> = {
  path: string;
  calls: readonly string[];
  /** Brings the page to the start of the way. */
  prepare?: (page: Page) => Promise<void>;
  act: (page: Page, event: EventObject) => Promise<void>;
  shows: (page: Page, language: Language, state: Snapshot) => Promise<void>;
};

async function visit(language: Language): Promise<{ visitor: Visitor; answers: ForcedAnswers }> {
  const visitor = await stack.visit({ language, before: consentGiven });
  await takeReports(visitor.page);
  await visitor.page.clock.install();
  return { visitor, answers: new ForcedAnswers() };
}

/** Follows one way; returns where page and machine differ. */
async function goOne<Snapshot>(
  page: Page,
  answers: ForcedAnswers,
  { way, place, language }: { way: Way<Snapshot>; place: Place<Snapshot>; language: Language },
): Promise<string | undefined> {
  for (const { event, state } of way.steps) {
    const forced = answerOf(event);
    if (forced === "cut") await answers.cut();
    else if (forced === undefined) await place.act(page, event);
    else await answers.answer(forced);
    try {
      await vi.waitFor(() => place.shows(page, language, state), patience);
    } catch (error) {
      return `${way.name}: after ${event.type}: ${String(error)}`;
    }
  }
  return undefined;
}

/**
 * Follows half of the ways in each language and returns those where the page differs. The journeys
 * of the forms check the texts of each state in both languages.
 */
async function goAll<Snapshot>(
  language: Language,
  ways: readonly Way<Snapshot>[],
  place: Place<Snapshot>,
): Promise<string[]> {
  const { visitor, answers } = await visit(language);
  await answers.takeOver(visitor.page, ...place.calls);
  const astray: string[] = [];
  for (const way of ways.filter((_, index) => index % 2 === (language === "en" ? 0 : 1))) {
    answers.forget();
    await visitor.open(place.path);
    await place.prepare?.(visitor.page);
    const fault = await goOne(visitor.page, answers, { way, place, language });
    if (fault !== undefined) astray.push(fault);
  }
  await visitor.leave();
  return astray;
}

const entry = { email: "noa@example.com", consent: true, website: "" };
const subscribeAnswers = [
  { type: "xstate.done.actor.subscribe", output: { kind: "subscribed" } },
  { type: "xstate.done.actor.subscribe", output: { kind: "already" } },
  { type: "xstate.done.actor.subscribe", output: { kind: "refused" } },
  { type: "xstate.done.actor.subscribe", output: { kind: "refused", text: "No such domain" } },
  { type: "xstate.error.actor.subscribe", error: "offline" },
];
const subscribeEvents = [
  { type: "changed", entry },
  { type: "changed", entry: { ...entry, consent: false } },
  { type: "changed", entry: { ...entry, email: "" } },
  { type: "submit", shown: { language: "en", consentText: "" } },
  ...subscribeAnswers,
];

describe.each(["en", "he"] as const)(
  "the page follows every shortest way, half of them in %s",
  (language) => {
    test("through the newsletter form", async () => {
      const paths = getShortestPaths(newsletterMachine, {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's answers are XState's own events, outside of the machine's type
        events: subscribeEvents as never[],
      });
      const astray = await goAll(language, waysOf(paths), {
        path: "/about",
        calls: ["/api/newsletter/subscribe"],
        act: (page, event) => doInSubscribeForm(page, ".newsletter-form", event),
        shows: newsletterShows,
      });
      expect(astray).toEqual([]);
    });

    test("through the waitlist form", async () => {
      const paths = getShortestPaths(waitlistMachine, {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- answers and timers are XState's own events, outside of the machine's type
        events: [
          ...subscribeEvents,
          { type: "xstate.after.bannerTime.waitlist.success" },
        ] as never[],
      });
      const astray = await goAll(language, waysOf(paths), {
        path: "/signup",
        calls: ["/api/newsletter/subscribe"],
        act: (page, event) => doInSubscribeForm(page, ".waitlist-form", event),
        shows: waitlistShows,
      });
      expect(astray).toEqual([]);
    });

    test("through the page of a mailed link", async () => {
      const kinds = (call: string, outputs: readonly string[]): object[] => [
        ...outputs.map((kind) => ({
          type: `xstate.done.actor.${call}`,
          output: { kind, email: "noa@example.com" },
        })),
        { type: `xstate.error.actor.${call}`, error: "offline" },
      ];
      const paths = getShortestPaths(confirmMachine, {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's answers are XState's own events, outside of the machine's type
        events: [
          { type: "confirm", token: "t-1" },
          { type: "resend" },
          ...kinds("confirm", ["confirmed", "used", "expired", "unknown", "failed"]),
          ...kinds("resend", ["resent", "used", "unknown", "tooMany", "failed"]),
        ] as never[],
      });
      const astray = await goAll(language, waysOf(paths), {
        path: "/newsletter/confirm?token=t-1",
        calls: ["/api/newsletter/confirm", "/api/newsletter/resend"],
        act: doInConfirm,
        shows: confirmShows,
      });
      expect(astray).toEqual([]);
    });

    test("through the contact form", async () => {
      const changed = (
        field: "name" | "email" | "message" | "subject" | "subjectCategory",
        value: string,
      ): ContactEvent => ({
        type: "changed",
        field,
        value,
      });
      const begun = [
        changed("email", "noa@example.com"),
        changed("message", "The page does not open."),
        changed("subjectCategory", "bug"),
      ];
      const actor = createActor(contactMachine).start();
      for (const event of begun) actor.send(event);
      const paths = getShortestPaths(contactMachine, {
        fromState: actor.getSnapshot(),
        serializeState: ({ value, context }) =>
          JSON.stringify([value, context.message, context.faults]),
        // The subject field is shown only under `other`.
        events: ({ context }) =>
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's answers are XState's own events, outside of the machine's type
          [
            changed("name", "Noa"),
            changed("message", "Short"),
            changed("subjectCategory", "other"),
            ...(context.message.subjectCategory === "other" ? [changed("subject", "Press")] : []),
            { type: "submit", metadata: {} },
            { type: "xstate.done.actor.send", output: { accepted: true } },
            { type: "xstate.done.actor.send", output: { accepted: false } },
            { type: "xstate.error.actor.send", error: "offline" },
          ] as never[],
      });
      const astray = await goAll(language, waysOf(paths), {
        path: "/contact",
        calls: ["/api/contact/send"],
        prepare: async (page) => {
          for (const event of begun) await doInContact(page, event);
        },
        act: doInContact,
        shows: contactShows,
      });
      expect(astray).toEqual([]);
    });
  },
);
