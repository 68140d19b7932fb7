import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { encode } from "uqr";

import { Button } from "../../../ui/button/button.tsx";
import type { useFormMachine } from "../../form-machine.ts";
import { Faultfinding, useFieldState } from "../../submission-form.tsx";
import { CodeField } from "../fields.tsx";
import type { AuthenticatorEvent, createAuthenticatorActor } from "./authenticator.machine.ts";
import { CopyButton } from "./recovery-codes.tsx";

type Snapshot = ReturnType<ReturnType<typeof createAuthenticatorActor>["getSnapshot"]>;
type Send = (event: AuthenticatorEvent) => void;

const prefix = "authenticator";

/** The modules of the code as one path, a square each. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { border: 0 });
    const squares = code.data.flatMap((row, y) =>
      row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    return { size: code.size, path: squares.join("") };
  }, [text]);
  return (
    <svg className="totp__qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  );
}

const inGroups = (secret: string): string => secret.match(/.{1,4}/gu)?.join(" ") ?? secret;

type ScanProps = {
  snapshot: Snapshot;
  send: Send;
  /** Of the form, for its machine. */
  events: ReturnType<typeof useFormMachine>["events"];
};

/** The key as a code to scan and as text, and the field for the first code. */
export function AuthenticatorScan({ snapshot, send, events }: ScanProps) {
  const { t } = useTranslation("account-security");
  const { secret, faults, refusals, trouble } = snapshot.context;
  const field = useFieldState(prefix, faults);
  const busy = snapshot.matches("confirming");
  useEffect(() => document.getElementById(`${prefix}-scan`)?.focus(), []);
  if (secret === undefined) return null;
  return (
    <form className="totp" method="post" noValidate aria-busy={busy} {...events}>
      <Faultfinding prefix={prefix} faults={faults} refusals={refusals} trouble={trouble} />
      <div className="totp__scan">
        <QrCode text={secret.uri} label={t("factors.qr")} />
        <div className="totp__key">
          <h3 id={`${prefix}-scan`} className="settings__title" tabIndex={-1}>
            {t("factors.scan")}
          </h3>
          <p className="settings__note">{t("factors.scanBody")}</p>
          <code dir="ltr" className="totp__secret">
            {inGroups(secret.secret)}
          </code>
          <CopyButton text={secret.secret} label={t("factors.copyKey")} />
        </div>
      </div>
      <fieldset className="submission__fields" disabled={busy}>
        <CodeField field={field} label={t("factors.code")} />
        <div className="submission__actions">
          <Button type="submit" variant="solid">
            {busy ? t("factors.confirming") : t("factors.confirm")}
          </Button>
          <Button onClick={() => send({ type: "cancel" })}>{t("factors.cancel")}</Button>
        </div>
      </fieldset>
    </form>
  );
}
