import type { DeniedFields } from "@pro-talent/schemas/privacy/correction";
import {
  type CorrectionField,
  correctionFields,
  profileFieldOf,
} from "@pro-talent/schemas/privacy/correction-fields";
import {
  denialReasons,
  extensionLaws,
  fieldDenialReasons,
  identityChecks,
} from "@pro-talent/schemas/privacy/reasons";
import { useTranslation } from "react-i18next";

import { textIn } from "../form-machine.ts";
import { ActForm, Choice, type FormProps, refused } from "./act-form.tsx";
import { useDecide } from "./decide.ts";
import { HoldForm, ReviewForm } from "./hold-forms.tsx";

function DenyForm({ request, onDone }: FormProps) {
  const { t } = useTranslation("privacy-console");
  const { deny } = useDecide(request);
  return (
    <ActForm
      title={t("decide.denyTitle")}
      submit={t("decide.denySubmit")}
      sending={t("decide.denying")}
      send={async (data) => {
        const chosen = denialReasons.find((reason) => reason === textIn(data, "reason"));
        return refused(await deny(chosen ?? "other"));
      }}
      onDone={onDone}
    >
      {(field) => (
        <Choice
          field={field("reason")}
          name="reason"
          label={t("decide.reason")}
          hint={t("decide.denyFraud")}
          options={denialReasons.map((value) => ({ value, text: t(`decide.reasons.${value}`) }))}
          chosen="no-match"
        />
      )}
    </ActForm>
  );
}

const partName = (field: CorrectionField): string => `field-${field}`;

/** Some fields of a correction are approved, others denied. */
function PartForm({ request, onDone }: FormProps) {
  const { t } = useTranslation("privacy-console");
  const { approve } = useDecide(request);
  const asked = request.correction?.asked ?? {};
  const fields = correctionFields.filter((field) => asked[profileFieldOf[field]] !== undefined);
  const deniedIn = (data: FormData): DeniedFields =>
    fields.flatMap((field) => {
      const reason = fieldDenialReasons.find((one) => one === textIn(data, partName(field)));
      return reason === undefined ? [] : [{ field, reason }];
    });
  return (
    <ActForm
      title={t("decide.partTitle")}
      submit={t("decide.partSubmit")}
      sending={t("decide.partSending")}
      faultsIn={(data) => {
        const denied = deniedIn(data).length;
        const isPart = denied > 0 && denied < fields.length;
        return fields[0] === undefined || isPart
          ? {}
          : { [partName(fields[0])]: "privacy-console:errors.denySome" as const };
      }}
      send={async (data) => refused(await approve(deniedIn(data)))}
      onDone={onDone}
    >
      {(field) =>
        fields.map((name) => (
          <Choice
            key={name}
            field={field(partName(name))}
            name={partName(name)}
            label={t(`correction.fields.${profileFieldOf[name]}`)}
            options={[
              { value: "", text: t("decide.partApprove") },
              ...fieldDenialReasons.map((value) => ({
                value,
                text: t("decide.partDeny", { reason: t(`decide.reasons.${value}`) }),
              })),
            ]}
          />
        ))
      }
    </ActForm>
  );
}

/** What an officer has seen or done beside the mailed code. */
function CheckForm({ request, onDone }: FormProps) {
  const { t } = useTranslation("privacy-console");
  const { check } = useDecide(request);
  return (
    <ActForm
      title={t("form.record")}
      submit={t("form.recordSubmit")}
      sending={t("form.recording")}
      send={async (data) => {
        const chosen = identityChecks.find((one) => one === textIn(data, "check"));
        return refused(await check(chosen ?? "account-details"));
      }}
      onDone={onDone}
    >
      {(field) => (
        <Choice
          field={field("check")}
          name="check"
          label={t("form.check")}
          hint={t("form.checkHint")}
          options={identityChecks.map((value) => ({ value, text: t(`form.checks.${value}`) }))}
        />
      )}
    </ActForm>
  );
}

function ExtendForm({ request, onDone }: FormProps) {
  const { t } = useTranslation("privacy-console");
  const { extend } = useDecide(request);
  return (
    <ActForm
      title={t("decide.extendTitle")}
      submit={t("decide.extendSubmit")}
      sending={t("decide.extending")}
      send={async (data) => {
        const law = extensionLaws.find((one) => one === textIn(data, "law"));
        return refused(await extend(law ?? "gdpr"));
      }}
      onDone={onDone}
    >
      {(field) => (
        <>
          <p>{t("decide.extendBody")}</p>
          <Choice
            field={field("law")}
            name="law"
            label={t("decide.law")}
            options={extensionLaws
              .filter((law) => law !== request.extension)
              .map((value) => ({ value, text: t(`decide.laws.${value}`) }))}
          />
        </>
      )}
    </ActForm>
  );
}

const forms = {
  part: PartForm,
  check: CheckForm,
  deny: DenyForm,
  extend: ExtendForm,
  hold: HoldForm,
  review: ReviewForm,
} as const;

/** The form of a decision that needs a word with it. */
export function DecisionForm({ kind, ...props }: FormProps & { kind: keyof typeof forms }) {
  const Form = forms[kind];
  return <Form {...props} />;
}
