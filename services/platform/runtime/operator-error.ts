/**
 * What the person who runs a program has to change, as a sentence for them. Its message is shown, so
 * it holds no secret and nothing about a person.
 */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";
}
