import type { PrivacyEventType } from "@pro-talent/schemas/privacy/events";
import { useMutation } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Button, type ButtonVariant } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { daysUntil } from "../days-until.ts";
import { lazyPart } from "../lazy-part.tsx";
import type { Reviewed } from "./console-queries.ts";
import { ApproveForReview, CopyReviewLink } from "./copy-review-link.tsx";
import { type DecisionFault, useDecide } from "./decide.ts";
import { type Shortcut, useShortcut } from "./shortcuts.tsx";

// Loaded after what is decided by is shown.
const DecisionForm = lazyPart(async () => (await import("./decision-forms.tsx")).DecisionForm);

type Props = { request: Reviewed };

/** Buttons of one press each; what is refused says why, and the request is shown as it stands. */
function useAct() {
  const { t } = useTranslation("privacy-console");
  const acting = useMutation({
    mutationFn: (act: () => Promise<DecisionFault | undefined>) => act(),
  });
  const fault = acting.isError ? "failed" : acting.data;
  return {
    busy: acting.isPending,
    press: (act: () => Promise<DecisionFault | undefined>) => acting.mutate(act),
    trouble: fault === undefined ? undefined : t(`errors.${fault}`),
  };
}

type Form = "part" | "check" | "deny" | "extend" | "hold" | "review";
type Press = "approve" | "retry" | "claim" | "release";
type Act = {
  /** Offered while one of them is possible. */
  events: readonly PrivacyEventType[];
  text:
    | "approve"
    | "part"
    | "retry"
    | "claim"
    | "release"
    | "deny"
    | "extend"
    | "hold"
    | "check"
    | "review";
  shortcut?: Shortcut;
} & ({ press: Press; form?: never } | { form: Form; press?: never });

/** What an officer does for the events of the table, the usual one first. */
const acts: readonly Act[] = [
  {
    events: ["AccessApproved", "CorrectionApproved", "DeletionApproved"],
    text: "approve",
    press: "approve",
    shortcut: "approve",
  },
  { events: ["CorrectionApproved"], text: "part", form: "part" },
  { events: ["Retried"], text: "retry", press: "retry", shortcut: "retry" },
  { events: ["IdentityChecked"], text: "check", form: "check" },
  { events: ["RequestDenied", "DenialProposed"], text: "deny", form: "deny", shortcut: "deny" },
  { events: ["ExtensionDeclared"], text: "extend", form: "extend", shortcut: "extend" },
  { events: ["HoldReviewed"], text: "review", form: "review" },
  { events: ["HoldPlaced"], text: "hold", form: "hold", shortcut: "hold" },
  { events: ["Assigned"], text: "claim", press: "claim", shortcut: "claim" },
  { events: ["AssignmentReleased"], text: "release", press: "release" },
];

function useActText({ lease }: Reviewed) {
  const { t } = useTranslation("privacy-console");
  return (text: Act["text"], busy: boolean): string => {
    if (text === "check") return t("form.record");
    if (text === "review") return t("holds.prolong");
    if (text === "claim" && lease?.mine === true) return t("decide.prolong");
    return t(text === "approve" && busy ? "decide.approving" : `decide.${text}`);
  };
}

type ActsProps = Props & { onOpen: (form: Form) => void };

/** The holds that stand, each with its review and its release. */
function Holds({ request: { holds, possible }, busy, onRelease }: HoldsProps) {
  const { t } = useTranslation("privacy-console");
  const date = new Intl.DateTimeFormat(useLanguage(), { dateStyle: "long" });
  if (holds.length === 0) return null;
  return (
    <ul className="privacy-review__holds" aria-label={t("holds.title")}>
      {holds.map(({ holdId, law, reviewAt }) => (
        <li key={holdId}>
          <bdi>{law}</bdi>
          <p className="privacy-queue__quiet" data-late={daysUntil(reviewAt) <= 0}>
            {t(daysUntil(reviewAt) <= 0 ? "holds.reviewLate" : "holds.review", {
              date: date.format(Date.parse(reviewAt)),
            })}
          </p>
          {possible.includes("HoldReleased") && (
            <Button disabled={busy} onClick={() => onRelease(holdId)}>
              {t("holds.release")} <span className="visually-hidden">{law}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
type HoldsProps = Props & { busy: boolean; onRelease: (holdId: string) => void };

/** Everything that the ledger would accept from this officer now. */
function Acts({ request, onOpen }: ActsProps) {
  const { t } = useTranslation("privacy-console");
  const textOf = useActText(request);
  const shortcut = useShortcut();
  const decide = useDecide(request);
  const { busy, press, trouble } = useAct();
  const { possible, own } = request;
  const fields = Object.keys(request.correction?.asked ?? {});
  const offered = acts.filter(
    ({ events, form }) =>
      events.some((event) => possible.includes(event)) && (form !== "part" || fields.length > 1),
  );
  const mustTake = possible.includes("Assigned") && !possible.includes("AssignmentReleased");
  if (own) return <p>{t("request.own")}</p>;
  if (request.inReview) return <CopyReviewLink requestId={request.requestId} />;
  if (offered.length === 0 && request.holds.length === 0) return <p>{t("decide.nothing")}</p>;
  return (
    <>
      {mustTake && <p className="privacy-queue__quiet">{t("decide.takeFirst")}</p>}
      <Holds
        request={request}
        busy={busy}
        onRelease={(holdId) => press(() => decide.releaseHold(holdId))}
      />
      <div className="privacy-review__acts">
        {offered.map((act, index) => (
          <Button
            key={act.text}
            variant={variantOf(act, index)}
            disabled={busy}
            {...(act.shortcut && shortcut(act.shortcut))}
            onClick={() =>
              act.form === undefined ? press(() => decide[act.press]()) : onOpen(act.form)
            }
          >
            {textOf(act.text, busy)}
          </Button>
        ))}
        {possible.includes("AccessApproved") && <ApproveForReview request={request} />}
      </div>
      <Notice kind="error">{trouble}</Notice>
    </>
  );
}

/** What is usually pressed stands out; forms do not, since nothing is decided by opening one. */
function variantOf({ press }: Act, index: number): ButtonVariant {
  if (press === undefined) return "outline";
  return index === 0 ? "solid" : "text";
}

/** What an officer can decide about a request now, and the form of one decision. */
export function Decisions({ request }: Props) {
  const { t } = useTranslation("privacy-console");
  const [form, setForm] = useState<Form>();
  const title = useRef<HTMLHeadingElement>(null);
  const close = (): void => {
    setForm(undefined);
    // The form that had focus is gone.
    title.current?.focus();
  };
  const { proposedDenial } = request;
  useEffect(() => {
    // What fails here is loaded anew when it is shown.
    DecisionForm.load().catch(() => undefined);
  }, []);
  return (
    <section className="privacy-review__decide" aria-labelledby="privacy-decide">
      <h2 id="privacy-decide" ref={title} tabIndex={-1}>
        {t("decide.title")}
      </h2>
      {proposedDenial !== null && request.outcome === null && (
        <p>
          {t(proposedDenial.mine ? "decide.proposedMine" : "decide.proposed", {
            reason: t(`decide.reasons.${proposedDenial.reason}`),
          })}
        </p>
      )}
      {form === undefined ? (
        <Acts request={request} onOpen={setForm} />
      ) : (
        <Suspense fallback={<Skeleton shape="block" count={1} />}>
          <DecisionForm kind={form} request={request} onDone={close} />
        </Suspense>
      )}
    </section>
  );
}
