import type { Choice } from "../billing-calls.ts";

/**
 * What an address asks for, as in `?plan=premium&cycle=annual`. What it does not name, or names
 * otherwise, is the cheapest paid plan and the shorter cycle.
 */
export function choiceInQuery(query: URLSearchParams): Choice {
  return {
    plan: query.get("plan") === "premium" ? "premium" : "essential",
    cycle: query.get("cycle") === "annual" ? "annual" : "monthly",
  };
}

/** The address of the checkout of a choice. */
export const checkoutPath = ({ plan, cycle }: Choice): string =>
  `/checkout?${new URLSearchParams({ plan, cycle }).toString()}`;
