/** A text of an answer whose form nobody can be sure of; undefined when there is none. */
export function textIn(body: unknown, name: string): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
