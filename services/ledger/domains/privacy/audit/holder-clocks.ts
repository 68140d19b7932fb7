import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { type Clocks, downloadsMax, extensionEnd } from "@pro-talent/schemas/privacy/clocks";

import {
  type AuditedClock,
  byThen,
  type Dated,
  decisions,
  firstOf,
  workerMs,
} from "./audit-clock.ts";

type Times = { readonly receivedAt: Instant; readonly now: Instant };

/** The time to verify who asks; none runs where that was known when it was asked. */
export function identityClocks(
  { identityBy: endsAt }: Clocks,
  events: readonly Dated[],
  { receivedAt, now }: Times,
): AuditedClock[] {
  const verifiedAt = firstOf(events, ["IdentityVerified"]);
  if (verifiedAt === receivedAt) return [];
  if (verifiedAt !== null) {
    const result = verifiedAt < endsAt ? "met" : "missed";
    return [{ clock: "identity", endsAt, doneAt: verifiedAt, result }];
  }
  // A backup that is restored may not know the verification of what was erased.
  const doneAt = firstOf(events, [...decisions, "JournalReapplied"]);
  return [{ clock: "identity", endsAt, doneAt, result: byThen({ endsAt, doneAt }, now, workerMs) }];
}

/** An extension binds twice: its holder is notified before the due date, and it ends. */
export function extensionClocks(
  { dueAt }: Clocks,
  events: readonly Dated[],
  { receivedAt, now }: Times,
): AuditedClock[] {
  const decidedAt = firstOf(events, decisions);
  return events.flatMap(({ event, at }) => {
    if (event.type !== "ExtensionDeclared") return [];
    const notifiedAt =
      events.find(
        (later) =>
          later.at >= at &&
          later.event.type === "NoticeTried" &&
          later.event.data.notice === "extended" &&
          later.event.data.result !== "later",
      )?.at ?? null;
    const notice = { endsAt: dueAt, doneAt: notifiedAt ?? decidedAt };
    const end = { endsAt: extensionEnd(event.data.law, receivedAt), doneAt: decidedAt };
    return [
      { clock: "extension-notice", ...notice, result: byThen(notice, now) },
      { clock: "extension", ...end, result: byThen(end, now) },
    ];
  });
}

/** A package can be downloaded as long and as often as promised; after that nothing opens it. */
export function packageClocks(events: readonly Dated[], now: Instant): AuditedClock[] {
  const sealed = events.find(({ event }) => event.type === "PackageSealed")?.event;
  if (sealed?.type !== "PackageSealed") return [];
  const { expiresAt: endsAt } = sealed.data;
  const expiredAt = firstOf(events, ["PackageExpired"]);
  const erasedAt = firstOf(events, ["RequestEndedByErasure"]);
  const doneAt = expiredAt ?? erasedAt;
  const downloads = events.filter(({ event }) => event.type === "PackageDownloaded");
  const isBroken =
    downloads.length > downloadsMax ||
    downloads.some(({ at }) => at >= endsAt) ||
    (expiredAt !== null && expiredAt < endsAt);
  const result = isBroken ? "missed" : byThen({ endsAt, doneAt }, now, workerMs);
  const ended: AuditedClock = { clock: "package", endsAt, doneAt, result };
  if (doneAt === null) return [ended];
  const contents = {
    endsAt: instantPlus(doneAt, workerMs),
    doneAt: firstOf(events, ["ContentsForgotten"]) ?? erasedAt,
  };
  return [ended, { clock: "package-contents", ...contents, result: byThen(contents, now) }];
}
