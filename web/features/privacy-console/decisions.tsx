import { useMutation } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { daysUntil } from "../days-until.ts";
import { lazyPart } from "../lazy-part.tsx";
import type { Reviewed } from "./console-queries.ts";
import { ApproveForReview, CopyReviewLink } from "./copy-review-link.tsx";
import { type DecisionFault, useDecide } from "./decide.ts";

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

type Form = "check" | "deny" | "extend" | "hold" | "review";
type BarProps = Props & { onOpen: (form: Form) => void };

/** Decisions that need a word with them. */
function FormButtons({ request: { form, extension }, onOpen }: BarProps) {
  const { t } = useTranslation("privacy-console");
  return (
    <>
      {form?.needsReview === true && (
        <Button onClick={() => onOpen("check")}>{t("form.record")}</Button>
      )}
      <Button onClick={() => onOpen("deny")}>{t("decide.deny")}</Button>
      {extension === null && <Button onClick={() => onOpen("extend")}>{t("decide.extend")}</Button>}
    </>
  );
}

function ReviewActs({ request, onOpen }: BarProps) {
  const { t } = useTranslation("privacy-console");
  const decide = useDecide(request);
  const { busy, press, trouble } = useAct();
  const { lease } = request;
  const isMine = lease?.mine === true;
  return (
    <>
      {!isMine && <p className="privacy-queue__quiet">{t("decide.takeFirst")}</p>}
      <div className="privacy-review__acts">
        {isMine && (
          <Button variant="solid" disabled={busy} onClick={() => press(decide.approve)}>
            {t(busy ? "decide.approving" : "decide.approve")}
          </Button>
        )}
        {isMine && <ApproveForReview request={request} />}
        {isMine && <FormButtons request={request} onOpen={onOpen} />}
        {(lease === null || isMine) && (
          <Button
            variant={isMine ? "text" : "solid"}
            disabled={busy}
            onClick={() => press(decide.claim)}
          >
            {t(isMine ? "decide.prolong" : "decide.claim")}
          </Button>
        )}
        {isMine && (
          <Button variant="text" disabled={busy} onClick={() => press(decide.release)}>
            {t("decide.release")}
          </Button>
        )}
      </div>
      <Notice kind="error">{trouble}</Notice>
    </>
  );
}

function DeletionActs({ request, onOpen }: BarProps) {
  const { t } = useTranslation("privacy-console");
  const date = new Intl.DateTimeFormat(useLanguage(), { dateStyle: "long" });
  const { releaseHold } = useDecide(request);
  const { busy, press, trouble } = useAct();
  return (
    <>
      {request.holds.length > 0 && (
        <ul className="privacy-review__holds" aria-label={t("holds.title")}>
          {request.holds.map(({ holdId, law, reviewAt }) => (
            <li key={holdId}>
              <bdi>{law}</bdi>
              <p className="privacy-queue__quiet" data-late={daysUntil(reviewAt) <= 0}>
                {t(daysUntil(reviewAt) <= 0 ? "holds.reviewLate" : "holds.review", {
                  date: date.format(Date.parse(reviewAt)),
                })}
              </p>
              <Button disabled={busy} onClick={() => press(() => releaseHold(holdId))}>
                {t("holds.release")} <span className="visually-hidden">{law}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="privacy-review__acts">
        {request.holds.length > 0 && (
          <Button onClick={() => onOpen("review")}>{t("holds.prolong")}</Button>
        )}
        <Button onClick={() => onOpen("hold")}>{t("decide.hold")}</Button>
      </div>
      <Notice kind="error">{trouble}</Notice>
    </>
  );
}

function RetryAct({ request }: Props) {
  const { t } = useTranslation("privacy-console");
  const { retry } = useDecide(request);
  const { busy, press, trouble } = useAct();
  return (
    <>
      <div className="privacy-review__acts">
        <Button variant="solid" disabled={busy} onClick={() => press(retry)}>
          {t("decide.retry")}
        </Button>
      </div>
      <Notice kind="error">{trouble}</Notice>
    </>
  );
}

function Acts({ request, onOpen }: BarProps): ReactNode {
  const { t } = useTranslation("privacy-console");
  if (request.own) return <p>{t("request.own")}</p>;
  if (request.stalled) return <RetryAct request={request} />;
  if (request.inReview) return <CopyReviewLink requestId={request.requestId} />;
  if (request.needsDecision) return <ReviewActs request={request} onOpen={onOpen} />;
  if (request.type === "delete" && request.status === "scheduled")
    return <DeletionActs request={request} onOpen={onOpen} />;
  return <p>{t("decide.nothing")}</p>;
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
