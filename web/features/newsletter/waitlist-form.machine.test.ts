import { describe, expect, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { getShortestPaths } from "xstate/graph";

import { emptyEntry, missingIn, type SubscribeEvent, type SubscribeResult } from "./subscribe.ts";
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
import { waitlistMachine } from "./waitlist-form.machine.ts";
import { canJoin, firstWaitlistView, foreseeWaitlist } from "./waitlist-view.ts";

/** A form and the answer of its platform. */
function formWith(answer: () => Promise<SubscribeResult>) {
  const { actors, requests, clock } = platformThat(answer);
  return {
    actor: createActor(waitlistMachine.provide({ actors }), { clock }).start(),
    clock,
    requests,
  };
}

async function submitted(answer: () => Promise<SubscribeResult>) {
  const form = formWith(answer);
  form.actor.send(changed({}));
  form.actor.send(submit);
  await waitFor(form.actor, (snapshot) => snapshot.value !== "submitting");
  return form;
}

describe("the waitlist form", () => {
  test.each([
    ["idle with consent", "idle", true, true],
    ["idle without consent", "idle", false, false],
    ["submitting", "submitting", true, false],
    ["after success", "success", true, false],
  ] as const)("%s: joining follows", (_, place, consent, enabled) => {
    expect(canJoin({ place, entry: { ...complete, consent }, trouble: undefined })).toBe(enabled);
  });

  test("without an e-mail, a submit is held back and says what is missing", () => {
    const { actor, requests } = formWith(neverAnswers);
    actor.send(changed({ email: " " }));
    actor.send(submit);
    expect(actor.getSnapshot()).toMatchObject({
      value: "idle",
      context: { trouble: { code: "emailRequired" } },
    });
    actor.send(changed({ consent: false }));
    actor.send(submit);
    expect(actor.getSnapshot().context.trouble).toEqual({ code: "consentRequired" });
    expect(requests).toEqual([]);
  });

  test("a second submit while the first is on its way sends nothing", () => {
    const { actor, requests } = formWith(neverAnswers);
    actor.send(changed({}));
    actor.send(submit);
    actor.send(submit);
    expect(requests).toEqual([{ entry: complete, shown }]);
  });

  test("success clears e-mail and consent", async () => {
    const { actor } = await submitted(() => Promise.resolve({ kind: "subscribed" }));
    expect(actor.getSnapshot()).toMatchObject({
      value: "success",
      context: { entry: emptyEntry, trouble: undefined },
    });
  });

  test("the success banner disappears after 10 seconds and the form is idle again", async () => {
    const { actor, clock } = await submitted(() => Promise.resolve({ kind: "subscribed" }));
    clock.increment(9999);
    expect(actor.getSnapshot().value).toBe("success");
    clock.increment(1);
    expect(actor.getSnapshot().value).toBe("idle");
    expect(actor.getSnapshot().context.entry).toEqual(emptyEntry);
  });

  test.each(refusals)(
    "after %s the error is shown and the form is idle",
    async (_, answer, trouble) => {
      const { actor } = await submitted(answer);
      const { value, context } = actor.getSnapshot();
      expect({ value, trouble: context.trouble }).toEqual({ value: "idle", trouble });
      expect(context.entry).toEqual(complete);
    },
  );
});

describe("every way through the waitlist form", () => {
  const events: SubscribeEvent[] = [changed({}), changed({ email: "" }), submit];
  const answers = [...answerEvents, { type: "xstate.after.bannerTime.waitlist.success" }];
  const paths = getShortestPaths(waitlistMachine, {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- answers and timers are XState's own events, outside of the machine's type
    events: [...events, ...answers] as never[],
  });

  test("reaches the three states of the specification and no other", () => {
    const places = new Set(paths.map((path) => path.state.value));
    expect(places).toEqual(new Set(["idle", "submitting", "success"]));
  });

  test("submits only what is complete, and shows no error beside success", () => {
    const broken = paths.filter(({ steps, state }) => {
      if (state.value === "success") return state.context.trouble !== undefined;
      const begins = state.value === "submitting" && steps.at(-1)?.event.type === "submit";
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
      const foreseen = own.reduce(foreseeWaitlist, firstWaitlistView);
      expect(foreseen).toMatchObject({ place: value, entry: context.entry });
    }
  });
});
