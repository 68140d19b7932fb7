import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { useHydrated } from "../../../ui/hydration/use-hydrated.ts";
import { Notice } from "../../../ui/notice/notice.tsx";
import { useFormMachine } from "../../form-machine.ts";
import { useErrorTitle } from "../../use-error-title.ts";
import { tokenInQuery } from "../token-in-query.ts";
import type { createConfirmActor, ResendTrouble } from "./confirm.machine.ts";

import "./confirm-form.css";

type ConfirmFormProps = {
  /** The query of the page's address; empty until hydration. */
  search: string;
  /** Must be a stable function. */
  onConfirmed: (email: string) => void;
  /** Links for an invalid token. */
  ways: { home: ReactNode; signup: ReactNode; contact: ReactNode };
};

type Snapshot = ReturnType<ReturnType<typeof createConfirmActor>["getSnapshot"]>;
type State = Snapshot["value"];
type View = { state: State; superseded: boolean; trouble: "failed" | ResendTrouble | undefined };

const open = async () => (await import("./confirm.machine.ts")).createConfirmActor();

/** Read at the press: the first one may come before the page has shown what its address holds. */
const addToken = (data: FormData): void => data.set("token", tokenInQuery(location.search) ?? "");

/** Which texts a state shows. */
function textsOf({ state, superseded }: View) {
  if (state === "used" || state === "resent" || state === "unknown") return state;
  if (state === "expired" || state === "resending") return superseded ? "superseded" : "expired";
  return "idle";
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

function TroubleText({ state, trouble }: View) {
  const { t } = useTranslation("newsletter-confirm");
  if (trouble === "network") return t("network");
  if (trouble === "tooMany") return t("expired.tooMany");
  return state === "expired" ? t("expired.failed") : t("failed");
}

function ButtonText({ state }: { state: State }) {
  const { t } = useTranslation("newsletter-confirm");
  if (state === "confirming" || state === "confirmed") return t("idle.confirming");
  if (state === "resending") return t("expired.sending");
  return state === "expired" ? t("expired.send") : t("idle.confirm");
}

function viewOf(snapshot: Snapshot | undefined, waiting: boolean, unreachable: boolean): View {
  const { superseded = false, resendTrouble } = snapshot?.context ?? {};
  const state = snapshot?.value ?? "idle";
  if (waiting) return { state: "confirming", superseded, trouble: undefined };
  if (unreachable) return { state: "network", superseded, trouble: "network" };
  const trouble = state === "failed" || state === "network" ? state : resendTrouble;
  return { state, superseded, trouble };
}

/** Moves focus to the result of a press, because the disabled button loses it. */
function useFocusOnResult({ state, trouble }: View, ended: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (trouble !== undefined) notice.current?.focus();
    else if (ended || state === "expired") heading.current?.focus();
  }, [state, trouble, ended]);
  return { heading, notice };
}

/**
 * The form behind a confirmation link. Mail scanners open links too, so only the button confirms.
 * Without scripts the form posts to the page's own address, which has the token.
 */
export function ConfirmForm({ search, onConfirmed, ways }: ConfirmFormProps) {
  const { t } = useTranslation("newsletter-confirm");
  const hydrated = useHydrated();
  const { snapshot, waiting, unreachable, events } = useFormMachine<Snapshot>(open, addToken);
  const view = viewOf(snapshot, waiting, unreachable);
  const lost = hydrated && tokenInQuery(search) === undefined;
  const texts = lost ? "unknown" : textsOf(view);
  const ended = texts === "used" || texts === "unknown" || texts === "resent";
  const { heading, notice } = useFocusOnResult(view, ended && !lost);
  useErrorTitle(view.trouble !== undefined);
  const confirmed = snapshot?.value === "confirmed" ? snapshot.context.email : undefined;
  useEffect(() => {
    if (confirmed !== undefined) onConfirmed(confirmed);
  }, [confirmed, onConfirmed]);
  const busy = ["confirming", "confirmed", "resending"].includes(view.state);
  return (
    <div className="confirm-form" data-place={texts}>
      <p className="confirm-form__label">
        <Ring />
        {t(`${texts}.label`)}
      </p>
      <h1 tabIndex={-1} ref={heading}>
        {t(`${texts}.title`)}
      </h1>
      <p className="confirm-form__body">
        {t(`${texts}.body`, { hours: newsletterLimits.confirmHours })}
      </p>
      {!ended && (
        <form className="confirm-form__press" method="post" aria-busy={busy} {...events}>
          <Button type="submit" variant="solid" disabled={busy} data-track="newsletter-confirm">
            <ButtonText state={view.state} />
          </Button>
          <Notice kind="error" ref={notice}>
            {view.trouble !== undefined && <TroubleText {...view} />}
          </Notice>
        </form>
      )}
      {ended && (
        <div className="confirm-form__ways">
          {texts === "unknown" ? ways.signup : ways.home}
          {texts === "used" && ways.contact}
        </div>
      )}
    </div>
  );
}
