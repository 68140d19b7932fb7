/** A text field of an unvalidated answer; undefined if it is missing. */
export function textIn(body: unknown, name: string): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
