/**
 * Which engines the integration tests talk to: the value of `TEST_ENGINES`, `embedded` when unset.
 * @throws when the value is another word; tests are never skipped for want of an engine
 */
export function enginesKind(value: string | undefined): "embedded" | "servers" {
  if (value === undefined || value === "" || value === "embedded") return "embedded";
  if (value === "servers") return "servers";
  throw new Error(`TEST_ENGINES is "${value}"; it must be "embedded" or "servers".`);
}
