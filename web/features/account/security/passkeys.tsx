import type { factorCalls } from "@pro-talent/schemas/accounts/factor-calls";
import { accountLimits as limit } from "@pro-talent/schemas/accounts/limits";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { z } from "zod";

import { accountApi } from "../../../api-client/account-api.ts";
import { storeToken } from "../../../api-client/token.ts";
import { Button } from "../../../ui/button/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { EmptyState } from "../../../ui/view-state/view-state.tsx";
import { accountQuery } from "../../account-query.ts";
import { textIn } from "../../form-machine.ts";
import { type FieldState, SubmissionForm, useFaultText } from "../../submission-form.tsx";
import { type AccountFault, type Refused, refusalIn } from "../../submission.machine.ts";
import { toaster } from "../../toaster.ts";
import { missing } from "../fields.tsx";
import { createPasskey, knowsPasskeys } from "../passkey.ts";
import { useAccountDates } from "./sessions.tsx";

type Factors = z.infer<(typeof factorCalls)["GET /api/account/factors"]["answer"]>;
type Passkey = Factors["passkeys"][number];

const nameMissing = (data: FormData) => ({ name: missing(data, "name", "nameRequired") });

/** Creates a passkey on this device and adds it to the account; its token replaces the present one. */
async function addPasskey(name: string): Promise<Refused | undefined> {
  const api = accountApi();
  const begun = await api.call("POST /api/account/factors/passkeys/options", {});
  if (!begun.ok || begun.answer === undefined) return refusalIn(begun);
  const { ceremony, options } = begun.answer;
  const response = await createPasskey(options);
  if (response === undefined) return { fault: "passkeyCancelled" };
  const body = { ceremony, response, name };
  const result = await api.call("POST /api/account/factors/passkeys", { body });
  if (!result.ok || result.answer === undefined) return refusalIn(result);
  return storeToken(result.answer.token) ? undefined : { fault: "storage" };
}

async function renamePasskey(passkeyId: string, name: string): Promise<Refused | undefined> {
  const call = "PATCH /api/account/factors/passkeys/:passkeyId";
  return refusalIn(await accountApi().call(call, { params: { passkeyId }, body: { name } }));
}

async function removePasskey({ passkeyId }: Passkey): Promise<Refused | undefined> {
  const call = "DELETE /api/account/factors/passkeys/:passkeyId";
  return refusalIn(await accountApi().call(call, { params: { passkeyId } }));
}

type NameFieldProps = { field: FieldState; name?: string; hint?: string };

function NameField({ field, name = "", hint }: NameFieldProps) {
  const { t } = useTranslation("account-security");
  return (
    <Field {...field("name")} label={t("passkeys.name")} hint={hint}>
      {(control) => (
        <input
          {...control}
          name="name"
          dir="auto"
          autoComplete="off"
          defaultValue={name}
          maxLength={limit.passkeyNameCharsMax}
          aria-required
        />
      )}
    </Field>
  );
}

type RenamingProps = { passkey: Passkey; onEnd: () => void; refresh: () => Promise<void> };

function Renaming({ passkey: { name, passkeyId }, onEnd, refresh }: RenamingProps) {
  const { t } = useTranslation("account-security");
  const rename = async (data: FormData): Promise<Refused | undefined> => {
    const next = textIn(data, "name").trim();
    const refused = await renamePasskey(passkeyId, next);
    if (refused !== undefined) return refused;
    onEnd();
    const undo = async (): Promise<void> => {
      await renamePasskey(passkeyId, name);
      await refresh();
    };
    // A lost connection leaves the new name, which the list shows.
    const onAction = (): void => void undo().catch(() => undefined);
    const action = { label: t("passkeys.undo"), onAction };
    toaster.show({ text: t("passkeys.renamed", { name: next }), action });
    await refresh();
    return undefined;
  };
  return (
    <li className="settings__row">
      <SubmissionForm
        submission={{ faultsIn: nameMissing, send: rename }}
        submit={t("passkeys.save")}
        sending={t("passkeys.save")}
        actions={<Button onClick={onEnd}>{t("passkeys.cancel")}</Button>}
      >
        {(field) => <NameField field={field} name={name} />}
      </SubmissionForm>
    </li>
  );
}

type RowProps = { passkey: Passkey; onRemove: () => void; refresh: () => Promise<void> };

function PasskeyRow({ passkey, onRemove, refresh }: RowProps) {
  const { t } = useTranslation("account-security");
  const date = useAccountDates();
  const [renaming, setRenaming] = useState(false);
  const { name, createdAt, lastUsedAt, synced } = passkey;
  if (renaming) {
    const onEnd = (): void => setRenaming(false);
    return <Renaming passkey={passkey} onEnd={onEnd} refresh={refresh} />;
  }
  const used =
    lastUsedAt === null ? t("passkeys.never") : t("passkeys.used", { date: date(lastUsedAt) });
  return (
    <li className="settings__row">
      <div>
        <bdi className="settings__name">{name}</bdi>
        {synced && <span className="settings__tag">{t("passkeys.synced")}</span>}
        <p className="settings__note">
          {t("passkeys.created", { date: date(createdAt) })}
          {" · "}
          {used}
        </p>
      </div>
      <div className="settings__buttons">
        <Button
          variant="text"
          aria-label={t("passkeys.renameOf", { name })}
          onClick={() => setRenaming(true)}
        >
          {t("passkeys.rename")}
        </Button>
        <Button variant="text" aria-label={t("passkeys.removeOf", { name })} onClick={onRemove}>
          {t("passkeys.remove")}
        </Button>
      </div>
    </li>
  );
}

/** Asks before a passkey is removed, and shows why it was not. */
function useRemoval(refresh: () => Promise<void>) {
  const { t } = useTranslation("account-security");
  const textOf = useFaultText();
  const [asked, setAsked] = useState<Passkey>();
  const [fault, setFault] = useState<AccountFault>();
  const removal = useMutation({
    mutationFn: removePasskey,
    onError: () => setFault("network"),
    onSuccess: async (refused, { name }) => {
      setFault(refused?.fault);
      if (refused !== undefined) return;
      toaster.show({ text: t("passkeys.removed", { name }) });
      await refresh();
    },
  });
  const dialog: ReactNode = asked !== undefined && (
    <ConfirmDialog
      title={t("passkeys.removeTitle", { name: asked.name })}
      texts={{
        confirm: t("passkeys.remove"),
        keep: t("passkeys.keep"),
        close: t("close"),
      }}
      onConfirm={() => {
        setAsked(undefined);
        removal.mutate(asked);
      }}
      onClose={() => setAsked(undefined)}
    >
      <p>{t("passkeys.removeBody")}</p>
    </ConfirmDialog>
  );
  const notice = <Notice kind="error">{fault && textOf(fault)}</Notice>;
  return { ask: setAsked, dialog, notice };
}

/** The passkeys of the account: add, rename with undo, remove after a question. */
export function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  const { t } = useTranslation("account-security");
  const cache = useQueryClient();
  // The account knows how many there are.
  const refresh = () => cache.invalidateQueries({ queryKey: accountQuery.queryKey });
  const { ask, dialog, notice } = useRemoval(refresh);
  const add = async (data: FormData): Promise<Refused | undefined> => {
    const refused = await addPasskey(textIn(data, "name").trim());
    if (refused === undefined) await refresh();
    return refused;
  };
  return (
    <div className="settings__content">
      {notice}
      {passkeys.length === 0 ? (
        <EmptyState title={t("passkeys.empty")} body={t("passkeys.emptyBody")} />
      ) : (
        <ul className="settings__rows">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.passkeyId}
              passkey={passkey}
              onRemove={() => ask(passkey)}
              refresh={refresh}
            />
          ))}
        </ul>
      )}
      {knowsPasskeys() ? (
        passkeys.length < limit.passkeysMax && (
          <SubmissionForm
            submission={{ faultsIn: nameMissing, send: add }}
            submit={t("passkeys.add")}
            sending={t("passkeys.adding")}
            done={t("passkeys.added")}
            variant="outline"
          >
            {(field) => <NameField field={field} hint={t("passkeys.nameHint")} />}
          </SubmissionForm>
        )
      ) : (
        <p className="settings__note">{t("passkeys.unsupported")}</p>
      )}
      {dialog}
    </div>
  );
}
