import { denialReasons, extensionLaws, identityChecks } from "@pro-talent/schemas/privacy/reasons";
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
