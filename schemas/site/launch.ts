export type Launch = {
  /** `waitlist`: plans cannot be chosen and accounts need an invitation. `open`: both are on. */
  state: "waitlist" | "open";
  /** The day of the launch as `YYYY-MM-DD`, if it is known. */
  expected?: string;
};

/** The only place where the state of the launch is set. */
export const launch: Launch = { state: "waitlist" };

/** The expected day while it lies ahead: a past one is never shown. */
export function expectedDate({ state, expected }: Launch, now: Date): string | undefined {
  if (state === "open" || expected === undefined) return undefined;
  return Date.parse(`${expected}T00:00:00Z`) > now.getTime() ? expected : undefined;
}
