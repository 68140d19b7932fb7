import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { useHydrated } from "../../../ui/hydration/use-hydrated.ts";
import { Notice } from "../../../ui/notice/notice.tsx";
import { tokenInQuery } from "../token-in-query.ts";
import type { ConfirmPlace, ConfirmView } from "./confirm-view.ts";
import { useConfirmTexts } from "./use-confirm-texts.ts";
import { useConfirmation } from "./use-confirmation.ts";

import "./confirm-form.css";

type ConfirmFormProps = {
  /** The query of the page's address; empty until hydration. */
  search: string;
  /** Must be a stable function. */
  onConfirmed: (email: string) => void;
  /** Links for an invalid token. */
  ways: { home: ReactNode; signup: ReactNode; contact: ReactNode };
};

function Trouble({ view }: { view: ConfirmView }) {
  const { t } = useTranslation("newsletter-confirm");
  if (view.place === "failed") return t("failed");
  if (view.place === "network" || view.resendTrouble === "network") return t("network");
  if (view.resendTrouble === "tooMany") return t("expired.tooMany");
  return t("expired.failed");
}

function ButtonText({ place }: { place: ConfirmPlace }) {
  const { t } = useTranslation("newsletter-confirm");
  if (place === "confirming" || place === "confirmed") return t("idle.confirming");
  if (place === "resending") return t("expired.sending");
  return place === "expired" ? t("expired.send") : t("idle.confirm");
}

/** Decorative: the text beside it says the same. */
function Ring() {
  return (
    <svg
      className="confirm-form__ring"
      width="44"
      height="28"
      viewBox="0 0 200 104"
      aria-hidden="true"
    >
      <path
        d="M168 17C140 4 62 2 24 26C-8 47 6 82 62 93C124 104 190 86 195 52C199 24 150 6 88 11"
        fill="none"
        stroke="currentColor"
        strokeWidth="8"
        strokeLinecap="round"
        strokeDasharray="1 19"
      />
    </svg>
  );
}

const troubled = ({ place, resendTrouble }: ConfirmView): boolean =>
  place === "failed" || place === "network" || (place === "expired" && resendTrouble !== undefined);

const ended = (place: ConfirmPlace): boolean =>
  place === "used" || place === "unknown" || place === "resent";

/** Moves focus to the result of a press, because the disabled button loses it. */
function useFocusOnResult(view: ConfirmView) {
  const heading = useRef<HTMLHeadingElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (troubled(view)) notice.current?.focus();
    else if (ended(view.place) || view.place === "expired") heading.current?.focus();
  }, [view]);
  return { heading, notice };
}

/**
 * The form behind a confirmation link. Mail scanners open links too, so only the button confirms.
 * Without scripts the form posts to the page's own address, which has the token.
 */
export function ConfirmForm({ search, onConfirmed, ways }: ConfirmFormProps) {
  const hydrated = useHydrated();
  const token = tokenInQuery(search);
  const { view, events } = useConfirmation(token, onConfirmed);
  const place = hydrated && token === undefined ? "unknown" : view.place;
  const { label, title, body } = useConfirmTexts(place);
  const { heading, notice } = useFocusOnResult(view);
  const busy = place === "confirming" || place === "confirmed" || place === "resending";
  return (
    <div className="confirm-form" data-place={place}>
      <p className="confirm-form__label">
        <Ring />
        {label}
      </p>
      <h1 tabIndex={-1} ref={heading}>
        {title}
      </h1>
      <p className="confirm-form__body">{body}</p>
      {!ended(place) && (
        <form className="confirm-form__press" method="post" aria-busy={busy} {...events}>
          <Button type="submit" look="solid" disabled={busy} data-track="newsletter-confirm">
            <ButtonText place={place} />
          </Button>
          <Notice kind="error" ref={notice}>
            {troubled(view) && <Trouble view={view} />}
          </Notice>
        </form>
      )}
      {ended(place) && (
        <div className="confirm-form__ways">
          {place === "unknown" ? ways.signup : ways.home}
          {place === "used" && ways.contact}
        </div>
      )}
    </div>
  );
}
