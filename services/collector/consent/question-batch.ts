import { ProblemError } from "@pro-talent/platform/http/problem-details";

type Question = {
  visitorId: string;
  answer: (granted: boolean) => void;
  refuse: (error: unknown) => void;
};

/**
 * Questions about visitors that travel in one query. The deadline counts from the first question,
 * so that it also covers the wait for a free place; at the deadline all are refused.
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
    // The batch may expire while it waits for its turn, when nobody listens to the promise yet.
    promise.catch(() => undefined);
    this.#timer = setTimeout(() => {
      const error = new ProblemError("consent_unavailable", { retryAfterSeconds: 1 });
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

  /** Each visitor once. */
  visitorIds(): string[] {
    return [...new Set(this.#questions.map((question) => question.visitorId))];
  }

  answer(granted: ReadonlySet<string>): void {
    for (const question of this.#take()) question.answer(granted.has(question.visitorId));
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
