import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import { Choice } from "../../ui/choice/choice.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { useAccount } from "../account-query.ts";
import { textIn } from "../form-machine.ts";
import { endOfDay, localTime } from "../local-time.ts";
import { type FieldState, SubmissionForm } from "../submission-form.tsx";
import { refusalIn } from "../submission.machine.ts";
import { toaster } from "../toaster.ts";
import { useLinkActions } from "./link-actions.tsx";
import {
  ExpiryField,
  labelFault,
  LabelField,
  linkPasswordFault,
  LinkPasswordField,
  NoteField,
} from "./link-fields.tsx";
import type { ShareLink } from "./link-queries.ts";
import { fieldsOfCodes, targetFaults, targetIn } from "./link-writing.ts";
import { TargetFields } from "./target-fields.tsx";

/** What the form changes of a link. */
async function changesIn(data: FormData, day: string, timeZone: string) {
  const [password, chosen] = [textIn(data, "password"), textIn(data, "expiresAt")];
  const removed = data.has("unlocked") ? { password: null } : {};
  return {
    label: textIn(data, "label"),
    note: textIn(data, "note"),
    ...(textIn(data, "target") === "kept" ? {} : { target: await targetIn(data) }),
    // An unchanged day is not sent: it may be over, and the instant may not be the end of the day.
    ...(chosen === day ? {} : { expiresAt: endOfDay(chosen, timeZone) }),
    ...(password === "" ? removed : { password }),
  };
}

/** The password that it asks for: replaced, or removed. */
function Lock({ field, link }: { field: FieldState; link: ShareLink }) {
  const { t } = useTranslation("links");
  return (
    <>
      <LinkPasswordField
        field={field}
        hint={t(link.locked ? "settings.locked" : "fields.passwordHint")}
      />
      {link.locked && (
        <Choice
          type="checkbox"
          id="link-unlocked"
          name="unlocked"
          value="yes"
          label={t("settings.unlock")}
        />
      )}
    </>
  );
}

/** What can be changed of a link; its address stays. */
export function LinkSettings({ link, onClose }: { link: ShareLink; onClose: () => void }) {
  const { t } = useTranslation("links");
  const { timeZone } = useAccount().profile;
  const { put } = useLinkActions();
  const day = link.expiresAt === null ? "" : localTime(link.expiresAt, timeZone).day;
  const send = async (data: FormData) => {
    const body = await changesIn(data, day, timeZone);
    const params = { linkId: link.linkId };
    const result = await accountApi().call("PATCH /api/links/:linkId", { params, body });
    const refused = refusalIn(result, fieldsOfCodes);
    if (refused === undefined && result.ok && result.answer !== undefined) {
      put(result.answer.link);
      toaster.show({ text: t("settings.done") });
      onClose();
    }
    return refused;
  };
  return (
    <Dialog
      title={t("settings.title")}
      closeLabel={t("close")}
      onClose={onClose}
      onBackdrop={() => undefined}
    >
      <SubmissionForm
        submission={{
          faultsIn: (data) => ({
            label: labelFault(data),
            ...targetFaults(data),
            password: linkPasswordFault(data),
          }),
          send,
        }}
        submit={t("settings.submit")}
        sending={t("settings.sending")}
      >
        {(field) => (
          <>
            <LabelField field={field} link={link} />
            <NoteField field={field} link={link} />
            <TargetFields field={field} link={link} />
            <ExpiryField field={field} day={day} />
            <Lock field={field} link={link} />
          </>
        )}
      </SubmissionForm>
    </Dialog>
  );
}
