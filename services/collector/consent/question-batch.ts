import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { analyticsProblems } from "@pro-talent/schemas/analytics/problems";

type Question = {
  visitorId: string;
  answer: (granted: boolean) => void;
  refuse: (error: unknown) => void;
};

/**
 * Questions about visitors that one query answers. The deadline counts from the first question, so
 * that it also covers the wait for the query to start; at the deadline all are refused.
 */
export class QuestionBatch {
  /** Rejects at the deadline; never resolves. */
  readonly expired: Promise<never>;
  #questions: Question[] = [];
  #size = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(deadlineMs: number, onExpiry: (batch: QuestionBatch) => void) {
    const { promise, reject } = Promise.withResolvers<never>();
    this.expired = promise;
    // The batch may expire before its query starts, when the promise has no listener yet.
    promise.catch(() => undefined);
    this.#timer = setTimeout(() => {
      const error = new ProblemError(analyticsProblems.consent_unavailable, {
        retryAfterSeconds: 1,
      });
      onExpiry(this);
      this.refuse(error);
      reject(error);
    }, deadlineMs);
  }

  get size(): number {
    return this.#size;
  }

  /** Whether all have been answered or refused. */
  get done(): boolean {
    return this.#questions.length === 0;
  }

  ask(visitorId: string): Promise<boolean> {
    this.#size += 1;
    return new Promise((answer, refuse) => {
      this.#questions.push({ visitorId, answer, refuse });
    });
  }

  /** Visitors without a remembered answer, each once. */
  visitorIds(isRemembered: (visitorId: string) => boolean): string[] {
    const ids = new Set<string>();
    for (const { visitorId } of this.#questions) if (!isRemembered(visitorId)) ids.add(visitorId);
    return [...ids];
  }

  answer(granted: (visitorId: string) => boolean): void {
    for (const question of this.#take()) question.answer(granted(question.visitorId));
  }

  refuse(error: unknown): void {
    for (const question of this.#take()) question.refuse(error);
  }

  #take(): Question[] {
    clearTimeout(this.#timer);
    const questions = this.#questions;
    this.#questions = [];
    return questions;
  }
}
