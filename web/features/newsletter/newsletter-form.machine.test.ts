import { describe, expect, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { getShortestPaths } from "xstate/graph";

import { newsletterMachine } from "./newsletter-form.machine.ts";
import { canSubscribe, firstNewsletterView, foreseeNewsletter } from "./newsletter-view.ts";
import { missingIn, type SubscribeEvent, type SubscribeResult } from "./subscribe.ts";
import {
  answerEvents,
  changed,
  complete,
  neverAnswers,
  platformThat,
  refusals,
  shown,
  submit,
} from "./testing/subscribe-fixture.ts";

/** A form and the answer of its platform. */
function formWith(answer: () => Promise<SubscribeResult>) {
  const { actors, requests, clock } = platformThat(answer);
  return {
    actor: createActor(newsletterMachine.provide({ actors }), { clock }).start(),
    clock,
    requests,
  };
}

async function afterSubmit(answer: () => Promise<SubscribeResult>) {
  const { actor } = formWith(answer);
  actor.send(changed({}));
  actor.send(submit);
  return waitFor(actor, (snapshot) => snapshot.value !== "submitting");
}

describe("the newsletter form", () => {
  test("begins empty and cannot be submitted", () => {
    expect(canSubscribe(firstNewsletterView)).toBe(false);
  });

  test.each([
    ["the e-mail is empty", { email: "  " }, false],
    ["consent is unchecked", { consent: false }, false],
    ["both are there", {}, true],
  ])("when %s, Subscribe follows", (_, change, enabled) => {
    const view = foreseeNewsletter(firstNewsletterView, changed(change));
    expect(canSubscribe(view)).toBe(enabled);
  });

  test("while submitting, Subscribe is disabled and a second submit sends nothing", () => {
    const { actor, requests } = formWith(neverAnswers);
    actor.send(changed({}));
    actor.send(submit);
    actor.send(submit);
    expect(actor.getSnapshot().value).toBe("submitting");
    expect(requests).toEqual([{ entry: complete, shown }]);
    expect(canSubscribe({ place: "submitting", entry: complete, trouble: undefined })).toBe(false);
  });

  test("subscribed is the end of the form", async () => {
    const end = await afterSubmit(() => Promise.resolve({ kind: "subscribed" }));
    expect(end).toMatchObject({ value: "subscribed", status: "done" });
  });

  test.each(refusals)(
    "after %s it says so and keeps what was entered",
    async (_, answer, trouble) => {
      const { value, context } = await afterSubmit(answer);
      expect({ value, trouble: context.trouble }).toEqual({ value: "empty", trouble });
      expect(context.entry).toEqual(complete);
    },
  );

  test.each([
    [{ email: "" }, "emailRequired"],
    [{ consent: false }, "consentRequired"],
  ])("with %j a submit is held back with %s, and editing clears it", (change, code) => {
    const { actor, requests } = formWith(neverAnswers);
    actor.send(changed(change));
    actor.send(submit);
    expect(actor.getSnapshot()).toMatchObject({ value: "empty", context: { trouble: { code } } });
    actor.send(changed({}));
    expect(actor.getSnapshot().context.trouble).toBeUndefined();
    expect(requests).toEqual([]);
  });
});

describe("every way through the newsletter form", () => {
  const events: SubscribeEvent[] = [changed({}), changed({ consent: false }), submit];
  const paths = getShortestPaths(newsletterMachine, {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's answers are XState's own events, outside of the machine's type
    events: [...events, ...answerEvents] as never[],
  });

  test("reaches the three states of the specification and no other", () => {
    const places = new Set(paths.map((path) => path.state.value));
    expect(places).toEqual(new Set(["empty", "submitting", "subscribed"]));
  });

  test("never submits what is incomplete, and is subscribed only by an answer", () => {
    const broken = paths.filter(({ steps, state }) => {
      const last: string | undefined = steps.at(-1)?.event.type;
      if (state.value === "subscribed") return last !== "xstate.done.actor.subscribe";
      const begins = state.value === "submitting" && last === "submit";
      return begins && missingIn(state.context.entry) !== undefined;
    });
    expect(broken).toEqual([]);
  });

  test("shows before the machine is there what the machine then says", () => {
    for (const { steps } of paths) {
      const own = steps
        .map(({ event }) => events.find((candidate) => candidate === event))
        .filter((event) => event !== undefined);
      const { actor } = formWith(neverAnswers);
      for (const event of own) actor.send(event);
      const { value, context } = actor.getSnapshot();
      const foreseen = own.reduce(foreseeNewsletter, firstNewsletterView);
      expect(foreseen).toMatchObject({ place: value, entry: context.entry });
    }
  });
});
