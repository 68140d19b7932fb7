import type { Application, StageKind } from "@pro-talent/schemas/applications/application";
import type { Suggestion } from "@pro-talent/schemas/applications/calls";
import { type Day, dayIn, daysBetween, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import type { LinkOpens } from "./opens.ts";

/** Days without news after which to ask, and before a deadline to hurry. */
const silentDays = 10;
const interviewDays = 5;
const deadlineDays = 3;
/** More than a person does next. */
const suggestionsMax = 50;

type Known = Pick<
  Application,
  "applicationId" | "details" | "sent" | "stageSince" | "archivedAt" | "remindAt"
> & { readonly kind: StageKind };

type Circumstances = {
  readonly opens: ReadonlyMap<string, LinkOpens>;
  readonly now: Instant;
  /** Of the applicant. */
  readonly zone: string;
};

const order = [
  "deadline-near",
  "opened-now",
  "after-interview",
  "opened-no-answer",
  "silent-not-opened",
] satisfies Suggestion["code"][];

/** What could be done next: at most one thing for each application, the most useful first. */
export function suggestionsFor(
  applications: readonly Known[],
  circumstances: Circumstances,
): readonly Suggestion[] {
  return applications
    .filter(({ archivedAt }) => archivedAt === null)
    .flatMap((application) => suggestionFor(application, circumstances) ?? [])
    .toSorted(
      (one, other) => order.indexOf(one.code) - order.indexOf(other.code) || one.days - other.days,
    )
    .slice(0, suggestionsMax);
}

function suggestionFor(application: Known, circumstances: Circumstances): Suggestion | undefined {
  const { applicationId, kind, details, remindAt } = application;
  const { now, zone } = circumstances;
  const today = dayIn(now, zone);
  const suggest = (code: Suggestion["code"], days: number, opened?: LinkOpens): Suggestion => {
    const { opens, lastAt } = opened ?? { opens: 0, lastAt: null };
    return { applicationId, code, days, opens, lastOpenedAt: lastAt };
  };
  if (kind === "saved") {
    const left = details.deadline === null ? -1 : daysBetween(today, details.deadline);
    return left >= 0 && left <= deadlineDays ? suggest("deadline-near", left) : undefined;
  }
  if (kind !== "applied" && kind !== "interviewing") return undefined;
  const since = sinceWhen(application, zone);
  const opened = opensSince(application, circumstances.opens, startOfDay(since, zone));
  if (opened !== undefined && daysBetween(dayIn(opened.lastAt, zone), today) <= 1)
    return suggest("opened-now", daysBetween(dayIn(opened.lastAt, zone), today), opened);
  // What is planned needs no suggestion.
  if (remindAt !== null && remindAt > now) return undefined;
  const days = daysBetween(since, today);
  if (kind === "interviewing")
    return days >= interviewDays ? suggest("after-interview", days) : undefined;
  if (days < silentDays) return undefined;
  return opened === undefined
    ? suggest("silent-not-opened", days)
    : suggest("opened-no-answer", days, opened);
}

/** Since when an application is where it is; the applicant may have entered it later than it was sent. */
function sinceWhen({ kind, details, stageSince }: Known, zone: string): Day {
  const entered = dayIn(stageSince, zone);
  if (kind !== "applied" || details.appliedOn === null) return entered;
  return details.appliedOn < entered ? details.appliedOn : entered;
}

function opensSince(
  { sent }: Known,
  opens: ReadonlyMap<string, LinkOpens>,
  since: Instant,
): LinkOpens | undefined {
  const opened = sent.linkIds.flatMap((linkId) => opens.get(linkId) ?? []);
  const later = opened.filter(({ lastAt }) => lastAt >= since);
  return later.reduce<LinkOpens | undefined>(
    (all, { opens: more, lastAt }) =>
      all === undefined
        ? { opens: more, lastAt }
        : { opens: all.opens + more, lastAt: all.lastAt > lastAt ? all.lastAt : lastAt },
    undefined,
  );
}
