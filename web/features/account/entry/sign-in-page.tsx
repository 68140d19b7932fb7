import { launch } from "@pro-talent/schemas/site/launch";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useSearchParams } from "react-router-dom";

import { readToken, tokenStorageKey } from "../../../api-client/token.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Faultfinding, useFieldState } from "../../submission-form.tsx";
import { CodeField, EmailField, PasswordField } from "../fields.tsx";
import { knowsPasskeys } from "../passkey.ts";
import { useCourse } from "../use-course.ts";
import { AccountEntry } from "./account-entry.tsx";
import { nextPath, withNext } from "./next-path.ts";
import { createSignInActor, type SignInEvent, untouched } from "./sign-in.machine.ts";

type Snapshot = ReturnType<ReturnType<typeof createSignInActor>["getSnapshot"]>;
type Send = (event: SignInEvent) => void;

const prefix = "sign-in";

/** Leaves as soon as this browser has a token: by this form, or in another tab. */
function useLeaving(signedIn: boolean): void {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const next = nextPath(query.get("next"));
  useEffect(() => {
    const leave = (): void => {
      // Of an earlier account.
      cache.clear();
      void navigate(next, { replace: true });
    };
    if (signedIn) leave();
    const follow = ({ key }: StorageEvent): void => {
      if (key === tokenStorageKey && readToken() !== null) leave();
    };
    window.addEventListener("storage", follow);
    return () => window.removeEventListener("storage", follow);
  }, [signedIn, cache, navigate, next]);
}

type StepProps = { snapshot: Snapshot | undefined; busy: boolean; send: Send };

function PasswordStep({ snapshot, busy, send }: StepProps) {
  const { t } = useTranslation(["account", "account-entry"]);
  const [query] = useSearchParams();
  const field = useFieldState(prefix, snapshot?.context.faults ?? {});
  const waiting = snapshot?.matches("waitingForPasskey") ?? false;
  return (
    <fieldset className="submission__fields" disabled={busy}>
      <EmailField field={field} signIn />
      <PasswordField field={field} label={t("fields.password")} autoComplete="current-password" />
      <div className="submission__actions">
        <Button type="submit" variant="solid">
          {busy && !waiting
            ? t("account-entry:signIn.submitting")
            : t("account-entry:signIn.submit")}
        </Button>
        <Link className="account-entry__aside" to={withNext("/login/forgotten", query)}>
          {t("account-entry:signIn.forgotten")}
        </Link>
      </div>
      {knowsPasskeys() && (
        <div className="account-entry__other">
          <span className="account-entry__or">{t("account-entry:signIn.or")}</span>
          <Button onClick={() => send({ type: "passkey" })}>
            {waiting ? t("signIn.passkeyWaiting") : t("account-entry:signIn.passkey")}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function CodeForm({ snapshot, busy }: Omit<StepProps, "send">) {
  const { t } = useTranslation(["account", "account-entry"]);
  const { method, faults } = snapshot?.context ?? untouched;
  const field = useFieldState(prefix, faults);
  const isTotp = method === "totp";
  return (
    <>
      <CodeField
        key={method}
        field={field}
        label={isTotp ? t("factor.totp") : t("factor.recovery")}
        hint={isTotp ? t("factor.totpHint") : t("factor.recoveryHint")}
        recovery={!isTotp}
      />
      <div className="submission__actions">
        <Button type="submit" variant="solid">
          {busy ? t("factor.submitting") : t("factor.submit")}
        </Button>
      </div>
    </>
  );
}

function FactorStep({ snapshot, busy, send }: StepProps) {
  const { t } = useTranslation(["account", "account-entry"]);
  const { method, factors } = snapshot?.context ?? untouched;
  const { methods = [] } = factors ?? {};
  const hasCode = methods.includes("totp") || methods.includes("recovery");
  const other = method === "totp" ? "recovery" : "totp";
  return (
    <fieldset className="submission__fields" disabled={busy}>
      {hasCode && <CodeForm snapshot={snapshot} busy={busy} />}
      <div className="submission__actions">
        {methods.includes("passkey") && knowsPasskeys() && (
          <Button variant={hasCode ? "outline" : "solid"} onClick={() => send({ type: "passkey" })}>
            {t("factor.usePasskey")}
          </Button>
        )}
        {methods.includes(other) && (
          <Button variant="text" onClick={() => send({ type: "method", method: other })}>
            {other === "recovery" ? t("factor.useRecovery") : t("factor.useTotp")}
          </Button>
        )}
        <Button variant="text" onClick={() => send({ type: "restart" })}>
          {t("factor.restart")}
        </Button>
      </div>
    </fieldset>
  );
}

/** Another step begins in its first field; a page that opens leaves the focus where it is. */
function useStepFocus(second: boolean): void {
  const shown = useRef(second);
  useEffect(() => {
    if (shown.current === second) return;
    shown.current = second;
    const first = document.querySelector<HTMLElement>(".submission input, .submission button");
    first?.focus();
  }, [second]);
}

const factorStates: readonly string[] = ["factor", "checkingCode", "waitingForSecondPasskey"];

/** Address and password, a second factor where the account has one, or a passkey. */
export function SignInPage() {
  const { t } = useTranslation(["account", "account-entry"]);
  const [query] = useSearchParams();
  const { snapshot, waiting, events, send } = useCourse<Snapshot, SignInEvent>(createSignInActor);
  const state = snapshot?.value ?? "password";
  const second = factorStates.includes(state);
  const busy = waiting || (state !== "password" && state !== "factor");
  const { faults, refusals, trouble } = snapshot?.context ?? untouched;
  useLeaving(state === "signedIn");
  useStepFocus(second);
  const Step = second ? FactorStep : PasswordStep;
  const next: ReactNode = query.has("next") && !second && (
    <p className="account-entry__next">{t("account-entry:signIn.next")}</p>
  );
  return (
    <AccountEntry
      title={second ? t("factor.title") : t("signIn.title")}
      lead={second ? t("factor.lead") : t("account-entry:signIn.lead")}
    >
      {next}
      <form className="submission" method="post" noValidate aria-busy={busy} {...events}>
        <Faultfinding prefix={prefix} faults={faults} refusals={refusals} trouble={trouble} />
        <Step snapshot={snapshot} busy={busy} send={send} />
      </form>
      {!second && (
        <p className="account-entry__contact">
          {t("account-entry:signIn.noAccount")}{" "}
          <a href={launch.state === "open" ? withNext("/join", query) : "/signup"}>
            {t("account-entry:entry.join")}
          </a>
        </p>
      )}
    </AccountEntry>
  );
}
