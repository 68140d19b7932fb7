import { accountLimits as limit } from "@pro-talent/schemas/accounts/limits";
import type { Profile } from "@pro-talent/schemas/accounts/profile";
import type { Correction } from "@pro-talent/schemas/privacy/correction";
import type {} from "@pro-talent/schemas/privacy/correction-fields";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import { isLanguage } from "../../../i18n/languages.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Field } from "../../../ui/field/field.tsx";
import { useAccount } from "../../account-query.ts";
import { textIn } from "../../form-machine.ts";
import { type FieldState, SubmissionForm } from "../../submission-form.tsx";
import { LanguageField, missing } from "../fields.tsx";
import { Deletion } from "./deletion.tsx";
import { dateAfter, outcomeOf } from "./privacy-calls.ts";
import { Part } from "./privacy-part.tsx";
import type { OwnRequest } from "./requests-query.ts";

type FormProps = { requests: readonly OwnRequest[] };

const isOpen = (requests: readonly OwnRequest[], type: OwnRequest["type"]): boolean =>
  requests.some((request) => request.type === type && request.outcome === null);

const decisionDays = 21;

/** Asks for a copy of all data. */
function ExportForm({ requests }: FormProps) {
  const { t } = useTranslation("account-privacy");
  const language = useLanguage();
  const cache = useQueryClient();
  const date = dateAfter(decisionDays, language);
  if (isOpen(requests, "access")) return <p>{t("export.open")}</p>;
  return (
    <SubmissionForm
      submission={{
        faultsIn: () => ({}),
        send: () => {
          const calling = accountApi().call("POST /api/privacy/requests/access", { body: {} });
          return outcomeOf(cache, calling, "account-privacy:errors.exportFailed");
        },
      }}
      submit={t("export.submit")}
      sending={t("export.sending")}
      variant="outline"
    >
      {() => <p>{t("export.body", { date })}</p>}
    </SubmissionForm>
  );
}

/** The fields that differ from what is held. */
function correctionIn(data: FormData, held: Profile): Correction {
  const language = textIn(data, "language");
  const [fullName, phone, address] = [
    textIn(data, "fullName").trim(),
    textIn(data, "phone").trim(),
    textIn(data, "address").trim(),
  ];
  return {
    ...(fullName === held.fullName ? {} : { fullName }),
    ...(phone === held.phone ? {} : { phone }),
    ...(address === held.address ? {} : { address }),
    ...(isLanguage(language) && language !== held.language ? { language } : {}),
  };
}

function CorrectionFields({ field, held }: { field: FieldState; held: Profile }) {
  const { t } = useTranslation("account-privacy");
  return (
    <>
      <Field {...field("fullName")} label={t("correct.fullName")}>
        {(control) => (
          <input
            {...control}
            name="fullName"
            dir="auto"
            autoComplete="name"
            defaultValue={held.fullName}
            maxLength={limit.nameCharsMax}
            aria-required
          />
        )}
      </Field>
      <Field {...field("phone")} label={t("correct.phone")}>
        {(control) => (
          <input
            {...control}
            name="phone"
            type="tel"
            dir="ltr"
            autoComplete="tel"
            defaultValue={held.phone}
            maxLength={limit.phoneCharsMax}
          />
        )}
      </Field>
      <Field {...field("address")} label={t("correct.address")}>
        {(control) => (
          <textarea
            {...control}
            className={`${control.className} settings__address`}
            name="address"
            dir="auto"
            rows={2}
            autoComplete="street-address"
            defaultValue={held.address}
            maxLength={limit.addressCharsMax}
          />
        )}
      </Field>
      <LanguageField field={field} label={t("correct.language")} chosen={held.language} />
    </>
  );
}

/** Asks for a correction of what is held. */
function CorrectionForm({ requests }: FormProps) {
  const { t } = useTranslation("account-privacy");
  const cache = useQueryClient();
  const { profile } = useAccount();
  if (isOpen(requests, "correct")) return <p>{t("correct.open")}</p>;
  return (
    <SubmissionForm
      submission={{
        faultsIn: (data) => ({ fullName: missing(data, "fullName", "nameRequired") }),
        send: async (data) => {
          const fields = correctionIn(data, profile);
          if (Object.keys(fields).length === 0)
            return { fault: "account-privacy:errors.unchanged" };
          const call = "POST /api/privacy/requests/correct";
          return outcomeOf(
            cache,
            accountApi().call(call, { body: { fields } }),
            "account-privacy:errors.correctFailed",
          );
        },
      }}
      submit={t("correct.submit")}
      sending={t("correct.sending")}
      variant="outline"
    >
      {(field) => <CorrectionFields field={field} held={profile} />}
    </SubmissionForm>
  );
}

/** What can be asked for: a copy, a correction, the deletion. */
export function RequestForms({ requests }: FormProps) {
  return (
    <>
      <Part name="export">
        <ExportForm requests={requests} />
      </Part>
      <Part name="correct">
        <CorrectionForm requests={requests} />
      </Part>
      <Part name="delete">
        <Deletion requests={requests} />
      </Part>
    </>
  );
}
