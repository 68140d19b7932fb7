import { accountLimits as limit } from "@pro-talent/schemas/accounts/limits";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router-dom";

import { siteApi } from "../../../api-client/request.ts";
import { storeToken } from "../../../api-client/token.ts";
import { rememberLanguage } from "../../../i18n/document-language.ts";
import { isLanguage } from "../../../i18n/languages.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Checkbox } from "../../../ui/checkbox/checkbox.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { LinkedText } from "../../../ui/linked-text/linked-text.tsx";
import { textIn } from "../../form-machine.ts";
import { type FieldState, SubmissionForm } from "../../submission-form.tsx";
import {
  type AccountFault,
  type Faults,
  type Refused,
  refusalIn,
} from "../../submission.machine.ts";
import {
  LanguageField,
  missing,
  NewPasswordField,
  newPasswordFault,
  ownTimeZone,
  TimeZoneField,
} from "../fields.tsx";
import { ComingVersions } from "./coming-versions.tsx";
import { nextPath } from "./next-path.ts";

const unticked = (data: FormData, name: string, fault: AccountFault) =>
  data.has(name) ? undefined : fault;

/** What is missing in the form that opens an account. */
export const joinFaults = (data: FormData): Faults => ({
  fullName: missing(data, "fullName", "nameRequired"),
  password: newPasswordFault(data),
  timeZone: missing(data, "timeZone", "zoneRequired"),
  terms: unticked(data, "terms", "account-entry:errors.termsRequired"),
  privacy: unticked(data, "privacy", "account-entry:errors.privacyRequired"),
});

/** Opens the account and keeps the token of its first sign-in session. */
async function join(token: string, data: FormData): Promise<Refused | undefined> {
  const chosen = textIn(data, "language");
  const result = await siteApi().call("POST /api/account/join", {
    body: {
      token,
      fullName: textIn(data, "fullName").trim(),
      password: textIn(data, "password"),
      language: isLanguage(chosen) ? chosen : "en",
      timeZone: textIn(data, "timeZone"),
      accepted: { terms: true, privacy: true },
    },
  });
  if (!result.ok || result.answer === undefined)
    return refusalIn(result, { password_weak: "password" });
  return storeToken(result.answer.token) ? undefined : { fault: "storage" };
}

function Consents({ field }: { field: FieldState }) {
  const { t } = useTranslation(["account", "account-entry"]);
  return (
    <>
      <Checkbox {...field("terms")} name="terms" value="yes" required>
        <LinkedText
          text={t("account-entry:join.terms")}
          phrases={[{ text: t("account-entry:join.termsLink"), href: "/terms" }]}
        />
      </Checkbox>
      <Checkbox {...field("privacy")} name="privacy" value="yes" required>
        <LinkedText
          text={t("account-entry:join.privacy")}
          phrases={[{ text: t("account-entry:join.privacyLink"), href: "/privacy" }]}
        />
      </Checkbox>
      <ComingVersions />
    </>
  );
}

/** What a mailed link needs to become an account. */
export function JoinForm({ token, email }: { token: string; email: string }) {
  const { t } = useTranslation(["account", "account-entry"]);
  const language = useLanguage();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const enter = (data: FormData): void => {
    // Of an earlier account.
    cache.clear();
    const next = nextPath(query.get("next"));
    const chosen = textIn(data, "language");
    if (!isLanguage(chosen) || chosen === language) {
      void navigate(next, { replace: true });
      return;
    }
    rememberLanguage(chosen);
    location.replace(next);
  };
  return (
    <SubmissionForm
      submission={{
        faultsIn: joinFaults,
        send: async (data) => {
          const refused = await join(token, data);
          if (refused === undefined) enter(data);
          return refused;
        },
      }}
      submit={t("account-entry:join.submit")}
      sending={t("account-entry:join.submitting")}
    >
      {(field) => (
        <>
          {/* For password managers, which keep the password under it. */}
          <input type="hidden" autoComplete="username" value={email} />
          <Field {...field("fullName")} label={t("fields.fullName")}>
            {(control) => (
              <input
                {...control}
                name="fullName"
                dir="auto"
                autoComplete="name"
                maxLength={limit.nameCharsMax}
                aria-required
              />
            )}
          </Field>
          <NewPasswordField field={field} label={t("fields.password")} />
          <LanguageField field={field} label={t("fields.language")} chosen={language} />
          <TimeZoneField field={field} chosen={ownTimeZone()} />
          <Consents field={field} />
        </>
      )}
    </SubmissionForm>
  );
}
