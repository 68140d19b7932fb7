import type { factorCalls } from "@pro-talent/schemas/accounts/factor-calls";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { z } from "zod";

import { Button } from "../../../ui/button/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { accountQuery } from "../../account-query.ts";
import { Faultfinding } from "../../submission-form.tsx";
import { useCourse } from "../use-course.ts";
import {
  type AuthenticatorEvent,
  createAuthenticatorActor,
  untouched,
} from "./authenticator.machine.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";

type Factors = z.infer<(typeof factorCalls)["GET /api/account/factors"]["answer"]>;
type Snapshot = ReturnType<ReturnType<typeof createAuthenticatorActor>["getSnapshot"]>;
type Send = (event: AuthenticatorEvent) => void;

/** With the code that draws QR codes: few visits to this page need it. */
const AuthenticatorScan = lazy(async () => ({
  default: (await import("./authenticator-scan.tsx")).AuthenticatorScan,
}));

const prefix = "authenticator";
/** Fewer recovery codes than this are few. */
const codesFew = 3;

type Question = "remove" | "newCodes";
type AskProps = { question: Question; count: number; send: Send; onClose: () => void };

function Ask({ question, count, send, onClose }: AskProps) {
  const { t } = useTranslation("account-security");
  const removing = question === "remove";
  return (
    <ConfirmDialog
      title={removing ? t("factors.removeTitle") : t("codes.newTitle")}
      texts={{
        confirm: removing ? t("factors.remove") : t("codes.make"),
        keep: t("factors.keep"),
        close: t("close"),
      }}
      onConfirm={() => {
        onClose();
        send({ type: question });
      }}
      onClose={onClose}
    >
      <p>{removing ? t("factors.removeBody", { count }) : t("codes.newBody")}</p>
    </ConfirmDialog>
  );
}

type RowProps = { name: string; note: string; children: ReactNode };

function Row({ name, note, children }: RowProps) {
  return (
    <li className="settings__row">
      <div>
        <span className="settings__name">{name}</span>
        <p className="settings__note">{note}</p>
      </div>
      <div className="settings__buttons">{children}</div>
    </li>
  );
}

type OverviewProps = { factors: Factors; state: string; send: Send };

function Overview({ factors: { totp, recoveryCodesLeft: left }, state, send }: OverviewProps) {
  const { t } = useTranslation("account-security");
  const [question, setQuestion] = useState<Question>();
  const busy = state !== "idle";
  const few = left < codesFew ? ` ${t("codes.few")}` : "";
  return (
    <>
      <ul className="settings__rows">
        <Row
          name={t("factors.authenticator")}
          note={totp ? t("factors.authenticatorOn") : t("factors.authenticatorOff")}
        >
          {totp ? (
            <Button variant="text" disabled={busy} onClick={() => setQuestion("remove")}>
              {t("factors.remove")}
            </Button>
          ) : (
            <Button disabled={busy} onClick={() => send({ type: "begin" })}>
              {state === "beginning" ? t("factors.starting") : t("factors.setUp")}
            </Button>
          )}
        </Row>
        {totp && (
          <Row name={t("codes.title")} note={t("codes.left", { count: left }) + few}>
            <Button variant="text" disabled={busy} onClick={() => setQuestion("newCodes")}>
              {t("codes.new")}
            </Button>
          </Row>
        )}
      </ul>
      {question !== undefined && (
        <Ask question={question} count={left} send={send} onClose={() => setQuestion(undefined)} />
      )}
    </>
  );
}

/** Set up with a code, recovery codes shown once, new codes, removal after a question. */
export function Authenticator({ factors }: { factors: Factors }) {
  const cache = useQueryClient();
  const { snapshot, events, send } = useCourse<Snapshot, AuthenticatorEvent>(
    createAuthenticatorActor,
  );
  const state = snapshot?.value ?? "idle";
  const { codes, faults, refusals, trouble } = snapshot?.context ?? untouched;
  // What the server knows has changed when codes are there, and when a removal is over.
  const changed = state === "showingCodes" || (state === "idle" && snapshot !== undefined);
  useEffect(() => {
    if (changed) void cache.invalidateQueries({ queryKey: accountQuery.queryKey });
  }, [changed, cache]);
  if (snapshot !== undefined && (state === "scanning" || state === "confirming"))
    return (
      <Suspense fallback={<Skeleton shape="block" />}>
        <AuthenticatorScan snapshot={snapshot} events={events} send={send} />
      </Suspense>
    );
  if (state === "showingCodes")
    return <RecoveryCodes codes={codes} onKept={() => send({ type: "kept" })} />;
  return (
    <>
      <Faultfinding prefix={prefix} faults={faults} refusals={refusals} trouble={trouble} />
      <Overview factors={factors} state={state} send={send} />
    </>
  );
}
