import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import type { PartReason } from "@pro-talent/schemas/privacy/request";

/** Why a request is complied with in part only after this event; none for most events. */
function partOf(event: PrivacyEvent): PartReason | undefined {
  if (event.type === "StepDone" && event.data.kept !== undefined) return "kept-by-law";
  if (event.type === "PackageSealed" && event.data.withheld !== undefined) return "withheld";
  if (event.type === "CorrectionApproved" && event.data.denied !== undefined)
    return "fields-denied";
  return undefined;
}

/** The same reasons, with that of one more event. What an approval denies ends with that approval. */
export function partsWith(parts: readonly PartReason[], event: PrivacyEvent): PartReason[] {
  const part = partOf(event);
  const before =
    event.type === "CorrectionApproved" || event.type === "CorrectionOutdated"
      ? parts.filter((one) => one !== "fields-denied")
      : parts;
  return [...new Set([...before, ...(part === undefined ? [] : [part])])];
}
