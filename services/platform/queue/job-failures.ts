import { describeError } from "../runtime/logger.ts";

/** The store of the queue does not answer. */
export class QueueUnavailable extends Error {
  override readonly name = "QueueUnavailable";
}

/** A payload is not what its job's contract says. Trying again would not help. */
export class PayloadRefused extends Error {
  override readonly name = "PayloadRefused";

  constructor(job: string, fields: readonly string[]) {
    super(`${job} does not take this payload: ${fields.join(", ")}`);
  }
}

/** A job that no handler is known for, perhaps of a newer version of the product. */
export class UnknownJob extends Error {
  override readonly name = "UnknownJob";
}

/**
 * A failure as the queue may keep it: class, code and place. Messages may quote input, and what the
 * queue keeps is not erased with the person that it is about.
 */
export class JobFailed extends Error {
  override readonly name = "JobFailed";

  constructor(cause: unknown) {
    const { type = "Error", code, stack = "" } = describeError(cause);
    super(code === undefined ? type : `${type} ${code}`);
    this.stack = `${this.message}\n${stack}`;
  }
}
