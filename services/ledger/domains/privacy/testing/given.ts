import { type PrivacyCommand, privacyDecider, type PrivacyRefusal } from "../decider.ts";
import type { Recordable } from "../guards.decider.ts";
import type { PrivacyState } from "../state.decider.ts";
import * as facts from "./facts.ts";

/** A request, followed through accepted commands, each on its day. */
export function after(...commands: readonly (readonly [number, PrivacyCommand])[]): PrivacyState {
  return commands.reduce<PrivacyState>((state, [day, command]) => {
    const now = facts.onDay(day);
    const events = privacyDecider.decide(command, state, { now });
    if ("kind" in events) throw new Error(`${command.type} on day ${day}: ${events.code}`);
    return events.reduce((before, event) => privacyDecider.evolve(before, event, now), state);
  }, privacyDecider.initialState);
}
export const on = (day: number, fact: Recordable) => [day, facts.records(fact)] as const;
export const deletion = [0, facts.receives("delete")] as const;
export const access = [0, facts.receives("access")] as const;

/** The type of each event that follows, or the code of the refusal. */
export function answerTo(
  state: PrivacyState,
  day: number,
  fact: Recordable,
): readonly string[] | PrivacyRefusal {
  const decision = privacyDecider.decide(facts.records(fact), state, { now: facts.onDay(day) });
  return "kind" in decision ? decision.code : decision.map(({ type }) => type);
}
