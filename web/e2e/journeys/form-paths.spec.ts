import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EventObject } from "xstate";
import { getShortestPaths } from "xstate/graph";

import { contactMachine } from "../../features/contact/contact.machine.ts";
import { confirmMachine } from "../../features/newsletter/confirmation/confirm.machine.ts";
import { newsletterMachine, waitlistMachine } from "../../features/newsletter/subscribe.machine.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { followHalf, type Place } from "../follow-ways.ts";
import { takeReports } from "../forced-answers.ts";
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
import { formData, serializeEvent, type Way, waysOf } from "../machine-paths.ts";
import { consentGiven } from "../site-paths.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

type Form<Snapshot> = {
  path: string;
  calls: readonly string[];
  act: (page: Page, event: EventObject) => Promise<void>;
  shows: (page: Page, language: Language, state: Snapshot) => Promise<void>;
};

async function goAll<Snapshot>(
  language: Language,
  ways: readonly Way<Snapshot>[],
  { path, calls, act, shows }: Form<Snapshot>,
): Promise<string[]> {
  const visitor = await stack.visit({ language, before: consentGiven, fresh: true });
  await takeReports(visitor.page);
  await visitor.page.clock.install();
  const place: Place<Snapshot> = {
    open: ({ open }) => open(path),
    calls,
    answerOf,
    act: ({ page }, event) => act(page, event),
    shows: ({ page }, of, state) => shows(page, of, state),
  };
  const astray = await followHalf({ visitor, language, place }, ways);
  await visitor.leave();
  return astray;
}

const entry = { email: "noa@example.com", consentText: "yes" };
const subscribeAnswers = [
  { type: "xstate.done.actor.subscribe", output: { kind: "subscribed" } },
  { type: "xstate.done.actor.subscribe", output: { kind: "already" } },
  { type: "xstate.done.actor.subscribe", output: { kind: "refused" } },
  { type: "xstate.done.actor.subscribe", output: { kind: "refused", text: "No such domain" } },
  { type: "xstate.error.actor.subscribe", error: "offline" },
];
const subscribeEvents = [
  { type: "edited", field: "email" },
  { type: "submit", data: formData(entry) },
  { type: "submit", data: formData({ ...entry, consentText: "" }) },
  { type: "submit", data: formData({ ...entry, email: "" }) },
  ...subscribeAnswers,
];

describe.each(["en", "he"] as const)(
  "the page follows every shortest way, half of them in %s",
  (language) => {
    test("through the newsletter form", async () => {
      const paths = getShortestPaths(newsletterMachine, {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's answers are XState's own events, outside of the machine's type
        events: subscribeEvents as never[],
        serializeEvent,
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
        serializeEvent,
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
          { type: "submit", data: formData({ token: "t-1" }) },
          ...kinds("confirm", ["confirmed", "used", "superseded", "expired", "unknown", "failed"]),
          ...kinds("resend", ["resent", "used", "unknown", "tooMany", "failed"]),
        ] as never[],
        serializeEvent,
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
      const message = {
        name: "Noa",
        email: "noa@example.com",
        subjectCategory: "bug",
        message: "The page does not open.",
      };
      const submit = (change: Partial<typeof message> & { subject?: string }) => ({
        type: "submit",
        data: formData({ ...message, ...change }),
      });
      const paths = getShortestPaths(contactMachine, {
        serializeEvent,
        serializeState: ({ value, context }) =>
          JSON.stringify([value, context.submission?.message, context.faults, context.trouble]),
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's answers are XState's own events, outside of the machine's type
        events: [
          submit({}),
          submit({ subjectCategory: "other", subject: "Press" }),
          submit({ subjectCategory: "other", subject: "" }),
          submit({ name: "", email: "noa@example", message: "Short" }),
          { type: "edited", field: "name" },
          { type: "xstate.done.actor.send", output: { accepted: true } },
          { type: "xstate.done.actor.send", output: { accepted: false } },
          { type: "xstate.error.actor.send", error: "offline" },
        ] as never[],
      });
      const astray = await goAll(language, waysOf(paths), {
        path: "/contact",
        calls: ["/api/contact/send"],
        act: doInContact,
        shows: contactShows,
      });
      expect(astray).toEqual([]);
    });
  },
);
