/**
 * What the person who runs a program has to change, as a sentence for them. Its message is shown, so
 * it holds no secret and nothing about a person.
 */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";
}

/** What the person has to change, if that is an error or one of its causes. */
export function operatorErrorIn(error: unknown): OperatorError | undefined {
  if (error instanceof OperatorError) return error;
  return error instanceof Error ? operatorErrorIn(error.cause) : undefined;
}
