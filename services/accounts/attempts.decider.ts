/** How often something may be tried. */
export type AttemptRule = {
  /** Attempts without a delay. */
  readonly free: number;
  /** After the first attempt beyond them; doubled for each further one. */
  readonly firstDelayMs: number;
  readonly delayMsMax: number;
  /** Without an attempt for so long, counting begins anew. */
  readonly forgottenAfterMs: number;
};

export type AttemptCount = {
  readonly count: number;
  readonly countedMs: number;
  readonly blockedUntilMs: number | null;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Of sign-ins to one account, from any network. The longest delay is one that its owner can wait for. */
export const accountRule: AttemptRule = {
  free: 5,
  firstDelayMs: 15_000,
  delayMsMax: 15 * minuteMs,
  forgottenAfterMs: 24 * hourMs,
};
/** Of sign-ins from one network, whichever account is tried; those that succeed are not counted. */
export const networkRule: AttemptRule = {
  free: 50,
  firstDelayMs: 15_000,
  delayMsMax: 15 * minuteMs,
  forgottenAfterMs: hourMs,
};
/**
 * Of mails that anyone can request for an address: five, then fewer and fewer. A stranger who requests them
 * without end neither fills a mailbox nor takes its owner's way to a reset for longer than six hours.
 */
export const mailRule: AttemptRule = {
  free: 5,
  firstDelayMs: hourMs,
  delayMsMax: 6 * hourMs,
  forgottenAfterMs: 24 * hourMs,
};
/** Of handles that an account asks about: plenty for choosing one, too few for listing those of others. */
export const handleRule: AttemptRule = {
  free: 60,
  firstDelayMs: 15_000,
  delayMsMax: 15 * minuteMs,
  forgottenAfterMs: hourMs,
};

/**
 * Counts an attempt, or refuses it while a delay runs. A refused one is not counted: trying again and
 * again does not make the delay longer.
 * @returns the new count, or how long to wait
 */
export function decideAttempt(
  rule: AttemptRule,
  before: AttemptCount | undefined,
  nowMs: number,
): { readonly admitted: AttemptCount } | { readonly waitMs: number } {
  const blockedUntil = before?.blockedUntilMs ?? null;
  if (blockedUntil !== null && nowMs < blockedUntil) return { waitMs: blockedUntil - nowMs };
  const isForgotten = before === undefined || nowMs - before.countedMs >= rule.forgottenAfterMs;
  const count = isForgotten ? 1 : before.count + 1;
  const delayMs = delayAfter(rule, count);
  const blockedUntilMs = delayMs === 0 ? null : nowMs + delayMs;
  return { admitted: { count, countedMs: nowMs, blockedUntilMs } };
}

/** The delay that follows the attempt of this number. */
function delayAfter({ free, firstDelayMs, delayMsMax }: AttemptRule, count: number): number {
  if (count < free) return 0;
  return Math.min(firstDelayMs * 2 ** Math.min(count - free, 40), delayMsMax);
}
