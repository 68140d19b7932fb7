import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { type FormRelation, privacyFormLimits as limit } from "@pro-talent/schemas/privacy/form";
import type { IdentityCheck } from "@pro-talent/schemas/privacy/reasons";

const dayMs = 24 * 60 * 60_000;

/** What is known of the sender of a form. */
export type FormState = {
  /** Null for a request of a signed-in holder. */
  readonly relation: FormRelation | null;
  /** Codes of which only the last one counts. */
  readonly codes: {
    readonly number: number;
    readonly askedAt: readonly Instant[];
    /** Wrong ones: of the request, and once it is fulfilled of the last code. */
    readonly failed: number;
    /** Whether the last one was used. */
    readonly used: boolean;
  };
  /** Whether it is known if the request is about an account. */
  readonly identified: boolean;
  readonly checks: readonly IdentityCheck[];
  /** When the data subject was notified of a request that they may not know of. */
  readonly notifiedAt: Instant | null;
  /** Officers who approved a deletion. */
  readonly approvedBy: readonly string[];
  /** What was sealed with it is destroyed. */
  readonly forgotten: boolean;
};

/** Of a request that was just received. */
export const noForm: FormState = {
  relation: null,
  codes: { number: 0, askedAt: [], failed: 0, used: false },
  identified: false,
  checks: [],
  notifiedAt: null,
  approvedBy: [],
  forgotten: false,
};

type Judged = Pick<FormState, "relation" | "identified" | "checks" | "notifiedAt"> & {
  readonly accountId: string | null;
};

/**
 * Whether more than a mailed code is needed: a mailbox may be in other hands, so that its code proves enough
 * for what was sent from and to that mailbox, and not for an account or for another person.
 */
export function needsReview({ relation, identified, accountId }: Judged): boolean {
  if (relation === "authorised") return true;
  return relation === "account" && !(identified && accountId === null);
}

/** Whether an officer has checked more than the code, and the person had the time to object. */
export function isIdentityEnough(state: Judged, now: Instant): boolean {
  if (!needsReview(state)) return true;
  const { checks, notifiedAt } = state;
  return checks.length > 0 && notifiedAt !== null && now >= objectionEnd(notifiedAt);
}

/** The address of a form is sealed with it, until the last mail about it. */
export const isAddressNeeded = ({
  relation,
  notices,
}: Pick<FormState, "relation"> & { readonly notices: readonly unknown[] }): boolean =>
  relation !== null && notices.length > 0;

/** Until then the person may object. */
export const objectionEnd = (notifiedAt: Instant): Instant =>
  instantPlus(notifiedAt, limit.objectionDays * dayMs);

/** How many codes may still be asked for now. */
export function codesLeft({ codes }: Pick<FormState, "codes">, now: Instant): number {
  const since = instantPlus(now, -dayMs);
  return Math.max(0, limit.codesPerDay - codes.askedAt.filter((at) => at > since).length);
}

/** When the last code ends to open a package; null when there is none to use. */
export function packageCodeEnd({ codes }: Pick<FormState, "codes">): Instant | null {
  const last = codes.askedAt.at(-1);
  if (last === undefined || codes.used) return null;
  return instantPlus(last, limit.packageCodeMinutes * 60_000);
}

/** What an event changes about it. `isReady`: the request is fulfilled, and its package waits. */
export function formAfter(
  state: FormState,
  event: PrivacyEvent,
  { at, isReady }: { readonly at: Instant; readonly isReady: boolean },
): Partial<FormState & { readonly accountId: string | null }> {
  const { codes, checks, approvedBy } = state;
  switch (event.type) {
    case "IdentityChallengeSent":
      return {
        codes: {
          number: event.data.number,
          // Older ones do not count any more.
          askedAt: [...codes.askedAt, at].slice(-limit.codesPerDay),
          failed: isReady ? 0 : codes.failed,
          used: false,
        },
      };
    case "IdentityFailed":
      return { codes: { ...codes, failed: codes.failed + 1 } };
    case "IdentityVerified":
    case "PackageDownloaded":
      return { codes: { ...codes, failed: 0, used: true } };
    case "SubjectIdentified":
      return { identified: true, accountId: event.data.accountId };
    case "JournalReapplied": {
      const { accountId } = event.data;
      return accountId === undefined ? {} : { identified: true, accountId };
    }
    case "IdentityChecked":
      return { checks: [...new Set([...checks, event.data.check])] };
    case "DeletionApproved":
      return { approvedBy: [...approvedBy, event.data.officerId] };
    case "NoticeTried": {
      const { notice, result } = event.data;
      const isNotified = notice === "asked-for-you" && result !== "later";
      return isNotified ? { notifiedAt: at } : {};
    }
    case "ContentsForgotten":
      return { forgotten: true };
    default:
      return {};
  }
}
