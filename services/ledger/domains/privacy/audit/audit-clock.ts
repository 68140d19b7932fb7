import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { PrivacyEvent, PrivacyEventType } from "@pro-talent/schemas/privacy/events";

/** An event of a request, and when it happened. */
export type Dated = { readonly event: PrivacyEvent; readonly at: Instant };

/**
 * A date that bound the platform.
 * - `identity`: verified before then, or the request is ended. `due`: a decision by then.
 * - `extension-notice`: the holder knows of an extension before the due date. `extension`: a decision by the
 *   end that the law permits.
 * - `package`: it can be downloaded until then and as often as promised, and not longer. `package-contents`:
 *   what opens it is destroyed by then.
 * - `erase`: no erasure before then. `hold-review`: a review by then. `backups`: no backup with the data after then.
 */
export type AuditedClock = {
  readonly clock:
    | "identity"
    | "due"
    | "extension-notice"
    | "extension"
    | "package"
    | "package-contents"
    | "erase"
    | "hold-review"
    | "backups";
  readonly endsAt: Instant;
  /** When what it demands, or forbids, happened. */
  readonly doneAt: Instant | null;
  /** `suspended`: a hold stood in between. */
  readonly result: "met" | "missed" | "running" | "suspended";
};

/** What a timer ends is recorded by a worker, which may be away for as long as this. */
export const workerMs = 24 * 60 * 60_000;

type Bound = Pick<AuditedClock, "endsAt" | "doneAt">;

/** Something that must happen by a date. `late`: how long after it counts as in time. */
export function byThen({ endsAt, doneAt }: Bound, now: Instant, late = 0): AuditedClock["result"] {
  const latest = instantPlus(endsAt, late);
  if (doneAt !== null) return doneAt <= latest ? "met" : "missed";
  return now <= latest ? "running" : "missed";
}

/** When the first event of one of these types happened. */
export const firstOf = (
  events: readonly Dated[],
  types: readonly PrivacyEventType[],
): Instant | null => events.find(({ event }) => types.includes(event.type))?.at ?? null;

/** What decides a request, or ends it otherwise. */
export const decisions: readonly PrivacyEventType[] = [
  "AccessApproved",
  "CorrectionApproved",
  "DeletionScheduled",
  "RequestDenied",
  "RequestWithdrawn",
  "RequestEndedByErasure",
  "IdentityExpired",
  "IdentityRefused",
  "NothingHeld",
  "CancellationRecorded",
];
