import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { countWithheld, type Redaction } from "@pro-talent/schemas/privacy/redaction";

/** What is known of the review of a copy for passages about other people. */
export type CopyReview = {
  /** Of what was collected. */
  readonly collected: string;
  /** The newest one, until it is returned or confirmed also as the beginning of the next. */
  readonly proposal: {
    readonly by: string;
    readonly redactions: readonly Redaction[];
    readonly returned: boolean;
  } | null;
  /** Officers who wanted something to be withheld. */
  readonly proposers: readonly string[];
  /** How many passages are withheld; null until the review is done. */
  readonly confirmed: number | null;
};

export type CopyReviewState = {
  /** Of the approval: whether an officer asked for a review, and stores whose texts others may have written. */
  readonly reviewOf: { readonly asked: boolean; readonly stores: readonly string[] };
  readonly review: CopyReview | null;
  /** How many proposals there were, also of what was collected before: a number never names two. */
  readonly revision: number;
  /** Whether anything was kept for a review, discarded since or not. */
  readonly kept: boolean;
};

export const noCopyReview: CopyReviewState = {
  reviewOf: { asked: false, stores: [] },
  review: null,
  revision: 0,
  kept: false,
};

type Found = Pick<CopyReviewState, "reviewOf"> & {
  readonly found: Readonly<Record<string, number>>;
};

/** Whether the copy may not be sealed before an officer has looked at it. */
export const isReviewNeeded = ({ reviewOf: { asked, stores }, found }: Found): boolean =>
  asked || stores.some((store) => (found[store] ?? 0) > 0);

const begun = { proposal: null, proposers: [], confirmed: null };

/** What an event changes about it. */
export function copyReviewAfter(
  { review, revision }: CopyReviewState,
  event: PrivacyEvent,
): Partial<CopyReviewState> {
  switch (event.type) {
    case "AccessApproved":
      return { reviewOf: event.data.review ?? noCopyReview.reviewOf, review: null };
    case "PackageCollected":
      return { review: { ...begun, collected: event.data.sha256 }, kept: true };
    case "CollectionDiscarded":
      return { review: null };
    default:
      return review === null
        ? {}
        : {
            review: { ...review, ...changesOf(review, event) },
            revision: revision + Number(event.type === "RedactionProposed"),
          };
  }
}

function changesOf(review: CopyReview, event: PrivacyEvent): Partial<CopyReview> {
  const { proposal, proposers } = review;
  switch (event.type) {
    case "RedactionProposed": {
      const { officerId: by, redactions } = event.data;
      return {
        proposal: { by, redactions, returned: false },
        proposers: redactions.length === 0 ? proposers : [...new Set([...proposers, by])],
      };
    }
    case "RedactionReturned":
      return { proposal: proposal && { ...proposal, returned: true } };
    case "RedactionApplied":
      return { confirmed: countWithheld(event.data.withheld) };
    case "CopyReleased":
      return { confirmed: 0 };
    default:
      return {};
  }
}

/** What is withheld of the copy once its review is done. */
export const confirmedIn = ({ review }: Pick<CopyReviewState, "review">): readonly Redaction[] =>
  review?.confirmed ? (review.proposal?.redactions ?? []) : [];

/** Another officer has the request next, or none: the work goes on by itself. */
export const endsAssignment = (event: PrivacyEvent): boolean =>
  event.type === "RedactionReturned" ||
  event.type === "RedactionApplied" ||
  event.type === "CopyReleased" ||
  (event.type === "RedactionProposed" && event.data.redactions.length > 0);
