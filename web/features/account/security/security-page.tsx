import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import { storeToken } from "../../../api-client/token.ts";
import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { factorsQuery, sessionsQuery, useAccount } from "../../account-query.ts";
import { useFormDraft } from "../../form-draft.ts";
import { textIn } from "../../form-machine.ts";
import { lazyPart } from "../../lazy-part.tsx";
import { SubmissionForm } from "../../submission-form.tsx";
import { refusalIn } from "../../submission.machine.ts";
import { useViewTexts } from "../../view-texts.ts";
import {
  EmailField,
  emailFault,
  missing,
  NewPasswordField,
  newPasswordFault,
  PasswordField,
} from "../fields.tsx";

import "../settings.css";

/** What is shown with its data: the code is loaded beside it. */
const Authenticator = lazyPart(async () => (await import("./authenticator.tsx")).Authenticator);
const Passkeys = lazyPart(async () => (await import("./passkeys.tsx")).Passkeys);
const Sessions = lazyPart(async () => (await import("./sessions.tsx")).Sessions);
export const securityParts = [Authenticator, Passkeys, Sessions];

type PartProps = { id: string; title: string; lead?: string; children: ReactNode };

function Part({ id, title, lead, children }: PartProps) {
  return (
    <section className="settings__part" aria-labelledby={id}>
      <div className="settings__intro">
        <h2 id={id} className="settings__title">
          {title}
        </h2>
        {lead !== undefined && <p className="settings__note">{lead}</p>}
      </div>
      <div className="settings__content">
        <Suspense fallback={<Skeleton shape="row" count={2} />}>{children}</Suspense>
      </div>
    </section>
  );
}

function Factors() {
  const { t } = useTranslation(["account-security", "account"]);
  const { texts, describe } = useViewTexts(t("account:view.loading"));
  const query = useQuery(factorsQuery);
  const view = {
    query,
    texts,
    skeleton: <Skeleton shape="row" count={2} />,
    isEmpty: () => false,
    empty: { title: t("factors.none") },
    describe,
  };
  return (
    <>
      <Part id="factors" title={t("factors.title")} lead={t("factors.lead")}>
        <DataView {...view}>{(factors) => <Authenticator factors={factors} />}</DataView>
      </Part>
      <Part id="passkeys" title={t("passkeys.title")} lead={t("passkeys.lead")}>
        <DataView {...view}>{({ passkeys }) => <Passkeys passkeys={passkeys} />}</DataView>
      </Part>
    </>
  );
}

function PasswordForm() {
  const { t } = useTranslation(["account-security", "account"]);
  const cache = useQueryClient();
  return (
    <SubmissionForm
      submission={{
        faultsIn: (data) => ({
          current: missing(data, "current", "passwordRequired"),
          password: newPasswordFault(data),
        }),
        send: async (data) => {
          const body = { current: textIn(data, "current"), password: textIn(data, "password") };
          const result = await accountApi().call("POST /api/account/password", { body });
          if (result.ok && result.answer !== undefined) {
            await cache.invalidateQueries({ queryKey: sessionsQuery.queryKey });
            return storeToken(result.answer.token) ? undefined : { fault: "storage" };
          }
          const fields = { sign_in_refused: "current", password_weak: "password" };
          const refused = refusalIn(result, fields);
          return refused?.field === "current" ? { ...refused, fault: "passwordRefused" } : refused;
        },
      }}
      submit={t("passwordForm.submit")}
      sending={t("passwordForm.submitting")}
      done={t("passwordForm.done")}
      variant="outline"
    >
      {(field) => (
        <>
          <PasswordField
            field={field}
            name="current"
            label={t("account:fields.currentPassword")}
            autoComplete="current-password"
          />
          <NewPasswordField field={field} label={t("account:fields.newPassword")} />
        </>
      )}
    </SubmissionForm>
  );
}

function EmailForm() {
  const { t } = useTranslation("account-security");
  const { accountId, email } = useAccount();
  const draft = useFormDraft("email", accountId);
  return (
    <>
      <p>
        {t("emailForm.current")} <bdi className="settings__name">{email}</bdi>
      </p>
      <SubmissionForm
        form={draft.form}
        onChange={draft.onChange}
        submission={{
          faultsIn: (data) => ({ email: emailFault(data) }),
          send: async (data) => {
            const body = { email: textIn(data, "email").trim() };
            const result = await accountApi().call("POST /api/account/email", { body });
            if (result.ok) draft.forget();
            return refusalIn(result, { email_unchanged: "email" });
          },
        }}
        submit={t("emailForm.submit")}
        sending={t("emailForm.submitting")}
        done={t("emailForm.done")}
        variant="outline"
      >
        {(field) => (
          <EmailField field={field} label={t("emailForm.new")} hint={t("emailForm.hint")} />
        )}
      </SubmissionForm>
    </>
  );
}

function SignInSessions() {
  const { t } = useTranslation(["account-security", "account"]);
  const { texts, describe } = useViewTexts(t("account:view.loading"));
  const query = useQuery(sessionsQuery);
  return (
    <DataView
      query={query}
      texts={texts}
      skeleton={<Skeleton shape="row" count={3} />}
      isEmpty={({ sessions }) => sessions.length === 0}
      empty={{ title: t("sessions.only") }}
      describe={describe}
    >
      {({ sessions }) => <Sessions sessions={sessions} />}
    </DataView>
  );
}

/** How the account is protected. Staff without a second factor can open this page alone. */
export function SecurityPage() {
  const { t } = useTranslation("account-security");
  const { roles, factor } = useAccount();
  const required = roles.some((role) => role !== "holder") && !factor;
  return (
    <>
      <PageHeader
        title={t("security.title")}
        lead={required ? t("security.factorRequired") : t("security.lead")}
      />
      <div className="settings">
        <Factors />
        <Part id="password" title={t("passwordForm.title")} lead={t("passwordForm.lead")}>
          <PasswordForm />
        </Part>
        {!required && (
          <>
            <Part id="sessions" title={t("sessions.title")} lead={t("sessions.lead")}>
              <SignInSessions />
            </Part>
            <Part id="email" title={t("emailForm.title")}>
              <EmailForm />
            </Part>
          </>
        )}
      </div>
    </>
  );
}
