import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import type { Reviewed } from "./console-queries.ts";
import {
  type Collected,
  type Redaction,
  redactionReasons,
  type ReviewFault,
  useCopyReview,
} from "./copy-review-queries.ts";

type Props = {
  request: Reviewed;
  /** Undefined: it can not be read. */
  collected: Collected | undefined;
  draft: readonly Redaction[];
  reason: Redaction["reason"];
  onReason: (reason: Redaction["reason"]) => void;
  onDraft: (draft: Redaction[]) => void;
};
type Press = (act: () => Promise<ReviewFault | undefined>) => void;
type ActsProps = Omit<Props, "collected"> & { collected: Collected; busy: boolean; press: Press };

const isSame = (one: readonly Redaction[], other: readonly Redaction[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The proposal of another officer is confirmed as it is, sent back, or changed into one of one's own. */
function Decide({ request, collected, draft, busy, press }: ActsProps) {
  const { t } = useTranslation("copy-review");
  const { propose, confirm, sendBack, release } = useCopyReview(request);
  const { proposal, revision, releasable } = collected;
  const isOthers = proposal !== null && !proposal.mine && !proposal.returned;
  if (isOthers && isSame(draft, proposal.redactions))
    return (
      <>
        <Button variant="solid" disabled={busy} onClick={() => press(() => confirm(revision))}>
          {t("acts.confirm", { count: draft.length })}
        </Button>
        <Button disabled={busy} onClick={() => press(() => sendBack(revision))}>
          {t("acts.return")}
        </Button>
      </>
    );
  if (draft.length === 0 && releasable)
    return (
      <Button variant="solid" disabled={busy} onClick={() => press(release)}>
        {t("acts.release")}
      </Button>
    );
  return (
    <Button
      variant="solid"
      disabled={busy}
      onClick={() => press(() => propose(collected.collected, [...draft]))}
    >
      {t("acts.propose", { count: draft.length })}
    </Button>
  );
}

function ReasonField({ reason, onReason }: Pick<Props, "reason" | "onReason">) {
  const { t } = useTranslation("copy-review");
  return (
    <Field id="copy-review-reason" label={t("reason")} hint={t(`laws.${reason}`)}>
      {(control) => (
        <Select
          {...control}
          value={reason}
          onChange={({ target }) => {
            const chosen = redactionReasons.find((one) => one === target.value);
            if (chosen !== undefined) onReason(chosen);
          }}
        >
          {redactionReasons.map((one) => (
            <option key={one} value={one}>
              {t(`reasons.${one}`)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** Words that are withheld in one place and stand in another. */
function Elsewhere({
  collected: { elsewhere },
  draft,
  onDraft,
}: Pick<ActsProps, "collected" | "draft" | "onDraft">) {
  const { t } = useTranslation(["copy-review", "account-privacy"]);
  if (elsewhere.length === 0) return null;
  const places = elsewhere.map(({ store, entry }) =>
    t("place", { store: t(`account-privacy:held.sections.${store}`), number: entry + 1 }),
  );
  return (
    <>
      <p>
        {t("elsewhere", { count: elsewhere.length })} {[...new Set(places)].join("; ")}
      </p>
      <Button onClick={() => onDraft([...draft, ...elsewhere])}>{t("elsewhereToo")}</Button>
    </>
  );
}

/** Whose proposal it is, and what became of it. */
function ProposalStatus({ request, collected }: Pick<Props, "request" | "collected">) {
  const { t } = useTranslation("copy-review");
  const { own, lease } = request;
  const proposal = collected?.proposal ?? null;
  const isElsewhere = lease !== null && !lease.mine;
  const whose = proposal?.mine === true ? "proposal.mine" : "proposal.other";
  return (
    <>
      {own && <p>{t("errors.own")}</p>}
      {proposal !== null && <p>{t(proposal.returned ? "proposal.returned" : whose)}</p>}
      {!own && isElsewhere && <p>{t("errors.elsewhere")}</p>}
    </>
  );
}

type TakenProps = Omit<Props, "collected"> & { busy: boolean; press: Press };

/** For the officer who has the request. */
function Taken({ collected, ...props }: TakenProps & Pick<Props, "collected">) {
  const { t } = useTranslation("copy-review");
  const { request, reason, onReason, draft, onDraft, busy, press } = props;
  const { collectAgain } = useCopyReview(request);
  return (
    <>
      {collected !== undefined && (
        <>
          <ReasonField reason={reason} onReason={onReason} />
          <Elsewhere collected={collected} draft={draft} onDraft={onDraft} />
        </>
      )}
      <div className="privacy-review__acts">
        {collected !== undefined && <Decide collected={collected} {...props} />}
        <Button variant="text" disabled={busy} onClick={() => press(collectAgain)}>
          {t("acts.collectAgain")}
        </Button>
      </div>
    </>
  );
}

/** What an officer can do about a copy in review now. */
export function CopyReviewActs({ request, collected, ...marking }: Props) {
  const { t } = useTranslation("copy-review");
  const { claim } = useCopyReview(request);
  const title = useRef<HTMLHeadingElement>(null);
  const acting = useMutation({
    mutationFn: (act: () => Promise<ReviewFault | undefined>) => act(),
    // The button that had focus may be gone.
    onSettled: () => title.current?.focus(),
  });
  const fault = acting.isError ? "failed" : acting.data;
  const { isPending: busy, mutate: press } = acting;
  const { lease, own } = request;
  return (
    <section className="privacy-review__decide" aria-labelledby="copy-review-decide">
      <h2 id="copy-review-decide" ref={title} tabIndex={-1}>
        {t("acts.title")}
      </h2>
      <ProposalStatus request={request} collected={collected} />
      {!own && lease === null && (
        <div className="privacy-review__acts">
          <Button variant="solid" disabled={busy} onClick={() => press(claim)}>
            {t("acts.claim")}
          </Button>
        </div>
      )}
      {!own && lease?.mine === true && (
        <Taken request={request} collected={collected} busy={busy} press={press} {...marking} />
      )}
      <Notice kind="error">{fault && t(`errors.${fault}`)}</Notice>
    </section>
  );
}
