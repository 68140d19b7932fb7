import type { Account } from "@pro-talent/schemas/accounts/calls";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { siteApi } from "../../api-client/request.ts";
import { storeToken } from "../../api-client/token.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { textIn } from "../form-machine.ts";
import { type FieldState, SubmissionForm, useFaultText } from "../submission-form.tsx";
import { type Refused, refusalIn, type Submission } from "../submission.machine.ts";
import { CodeField, missing, PasswordField } from "./fields.tsx";
import { askForPasskey, knowsPasskeys } from "./passkey.ts";

const kept = (token: string): Refused | undefined =>
  storeToken(token) ? undefined : { fault: "storage" };

async function stepUpByPassword(data: FormData): Promise<Refused | undefined> {
  const body = { password: textIn(data, "password") };
  const result = await siteApi().call("POST /api/account/step-up/password", { body });
  if (result.ok && result.answer !== undefined) return kept(result.answer.token);
  const refused = refusalIn(result, { sign_in_refused: "password" });
  return refused?.field === undefined ? refused : { ...refused, fault: "passwordRefused" };
}

async function stepUpByCode(data: FormData): Promise<Refused | undefined> {
  const body = { code: textIn(data, "code").trim() };
  const result = await siteApi().call("POST /api/account/step-up/code", { body });
  if (result.ok && result.answer !== undefined) return kept(result.answer.token);
  return refusalIn(result, { code_wrong: "code" });
}

async function stepUpByPasskey(): Promise<Refused | undefined> {
  const api = siteApi();
  const begun = await api.call("POST /api/account/step-up/passkey/options", {});
  if (!begun.ok || begun.answer === undefined) return refusalIn(begun);
  const { ceremony, options } = begun.answer;
  const response = await askForPasskey(options);
  if (response === undefined) return { fault: "passkeyCancelled" };
  const body = { ceremony, response };
  const result = await api.call("POST /api/account/step-up/passkey", { body });
  return result.ok && result.answer !== undefined ? kept(result.answer.token) : refusalIn(result);
}

function PasskeyConfirmation({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation("account");
  const textOf = useFaultText();
  const [waiting, setWaiting] = useState(false);
  const [refused, setRefused] = useState<Refused>();
  const ask = async (): Promise<void> => {
    setWaiting(true);
    const result = await stepUpByPasskey().catch((): Refused => ({ fault: "network" }));
    setWaiting(false);
    setRefused(result);
    if (result === undefined) onDone();
  };
  return (
    <>
      <Notice kind="error">{refused && textOf(refused.fault)}</Notice>
      <Button disabled={waiting} onClick={() => void ask()}>
        {waiting ? t("signIn.passkeyWaiting") : t("stepUp.passkey")}
      </Button>
    </>
  );
}

type StepUpProps = {
  account: Pick<Account, "totp" | "passkeys">;
  onDone: () => void;
  onClose: () => void;
};

/**
 * Confirms that it is the account holder before a dangerous change. An account with a second factor
 * confirms with that: a password alone would be what a thief has.
 */
export function StepUpDialog({ account, onDone, onClose }: StepUpProps) {
  const { t } = useTranslation("account");
  const passkey = account.passkeys > 0 && knowsPasskeys();
  const byPassword = !account.totp && account.passkeys === 0;
  const then =
    (send: Submission["send"]): Submission["send"] =>
    async (data) => {
      const refused = await send(data);
      if (refused === undefined) onDone();
      return refused;
    };
  const submission: Submission = byPassword
    ? {
        faultsIn: (data) => ({ password: missing(data, "password", "passwordRequired") }),
        send: then(stepUpByPassword),
      }
    : {
        faultsIn: (data) => ({ code: missing(data, "code", "codeRequired") }),
        send: then(stepUpByCode),
      };
  const fields = (field: FieldState) =>
    byPassword ? (
      <PasswordField field={field} label={t("fields.password")} autoComplete="current-password" />
    ) : (
      <CodeField field={field} label={t("factor.totp")} hint={t("factor.totpHint")} />
    );
  return (
    <Dialog title={t("stepUp.title")} closeLabel={t("stepUp.close")} onClose={onClose}>
      <p>{t("stepUp.lead")}</p>
      {passkey && <PasskeyConfirmation onDone={onDone} />}
      {(byPassword || account.totp) && (
        <SubmissionForm
          submission={submission}
          submit={t("stepUp.submit")}
          sending={t("stepUp.submitting")}
        >
          {fields}
        </SubmissionForm>
      )}
    </Dialog>
  );
}
