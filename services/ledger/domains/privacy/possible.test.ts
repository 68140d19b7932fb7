import type { PrivacyEventType } from "@pro-talent/schemas/privacy/events";
import { transitions } from "@pro-talent/schemas/privacy/transitions";
import { expect, it } from "vitest";

import { type Actor, formsOf, possibleEvents } from "./possible.decider.ts";
import { explore } from "./testing/explore.ts";
import { dana, omar, onDay } from "./testing/facts.ts";
import {
  answerTo,
  attemptsOf,
  type Moment,
  origins,
  requestModel,
} from "./testing/request-model.ts";

const rows = Object.values(transitions).flat();
const eventsBy = (party: "holder" | "officer"): ReadonlySet<PrivacyEventType> =>
  new Set(rows.flatMap(({ by, event }) => (by === party ? [event] : [])));

const actors: readonly (readonly [actor: Actor, events: ReadonlySet<PrivacyEventType>])[] = [
  ["holder", eventsBy("holder")],
  [{ officerId: dana }, eventsBy("officer")],
  [{ officerId: omar }, eventsBy("officer")],
];

/** Where what is shown as possible is not what the decider accepts of this person. */
function differences(moment: Moment): readonly string[] {
  const attempts = attemptsOf(moment);
  return actors.flatMap(([actor, events]) => {
    const accepted = attempts.filter(
      (fact) =>
        events.has(fact.type) &&
        (actor === "holder" ||
          ("officerId" in fact.data && fact.data.officerId === actor.officerId)) &&
        typeof answerTo(moment, fact) !== "string",
    );
    const shown = possibleEvents(moment.request, actor, moment.now);
    const names = (types: readonly string[]) => [...new Set(types)].toSorted().join(" ");
    const [is, should] = [names(shown), names(accepted.map(({ type }) => type))];
    return is === should ? [] : [`${moment.request.status}: ${is} instead of ${should}`];
  });
}

it.each(Object.entries(origins))(
  "what is shown as possible is what the decider accepts, in every state of %s",
  (_origin, received) => {
    const { states, broken } = explore(requestModel(received, differences), 600);
    expect(broken).toBeNull();
    expect(states).toBeGreaterThan(1);
  },
);

it("every event that a holder or an officer brings about is tried", () => {
  const choices = { holds: [omar], officerId: dana, now: onDay(0) };
  const untried = [...eventsBy("holder"), ...eventsBy("officer")].filter(
    (type) => formsOf(type, choices).length === 0,
  );
  // How a request begins is not decided about one.
  expect(untried).toEqual(["RequestReceived"]);
});
