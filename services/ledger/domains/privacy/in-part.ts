import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import type { PartReason } from "@pro-talent/schemas/privacy/request";

/** Why a request is complied with in part only after this event; none for most events. */
function partOf(event: PrivacyEvent): PartReason | undefined {
  if (event.type === "StepDone" && event.data.kept !== undefined) return "kept-by-law";
  return undefined;
}

/** The same reasons, with that of one more event. */
export function partsWith(parts: readonly PartReason[], event: PrivacyEvent): PartReason[] {
  const part = partOf(event);
  return [...new Set([...parts, ...(part === undefined ? [] : [part])])];
}
