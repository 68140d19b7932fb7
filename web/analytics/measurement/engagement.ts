/** Without input for this long, a visible page is not in use. */
export const idleMs = 30_000;

/**
 * For how long a page is in use: visible, in focus, and with input in the last 30 seconds. Needs no
 * timer: time is counted when something happens. All times are of one monotonic clock, in milliseconds.
 */
export class Engagement {
  #engagedMs = 0;
  #attended = false;
  /** Time before this is counted. */
  #countedMs = 0;
  #activeUntilMs = 0;

  /** The page is, or is no longer, visible and in focus; coming back to it is a use. */
  attend(attended: boolean, nowMs: number): void {
    this.#count(nowMs);
    if (attended && !this.#attended) this.#activeUntilMs = nowMs + idleMs;
    this.#attended = attended;
  }

  /** A key, a pointer, a scroll. */
  use(nowMs: number): void {
    this.#count(nowMs);
    this.#activeUntilMs = nowMs + idleMs;
  }

  /** Whole milliseconds of use since this was last asked. */
  take(nowMs: number): number {
    this.#count(nowMs);
    const whole = Math.floor(this.#engagedMs);
    this.#engagedMs -= whole;
    return whole;
  }

  #count(nowMs: number): void {
    const until = Math.min(nowMs, this.#activeUntilMs);
    if (this.#attended) this.#engagedMs += Math.max(0, until - this.#countedMs);
    this.#countedMs = Math.max(this.#countedMs, nowMs);
  }
}

type Viewport = { scrollY: number; innerHeight: number; scrollHeight: number };

/** The part of a page that is seen or above it, in percent; 100 for a page without scrolling. */
export function seenPercent({ scrollY, innerHeight, scrollHeight }: Viewport): number {
  if (scrollHeight <= innerHeight) return 100;
  const seen = Math.round(((scrollY + innerHeight) / scrollHeight) * 100);
  return Math.max(0, Math.min(100, seen));
}
