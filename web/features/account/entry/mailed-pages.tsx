import { privacyFormPages } from "@pro-talent/schemas/privacy/form";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { siteApi } from "../../../api-client/request.ts";
import { removeToken } from "../../../api-client/token.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { buttonClass } from "../../../ui/button/button.tsx";
import { textIn } from "../../form-machine.ts";
import { SubmissionForm } from "../../submission-form.tsx";
import { type Faults, refusalIn } from "../../submission.machine.ts";
import { EmailField, emailFault, NewPasswordField, newPasswordFault } from "../fields.tsx";
import { AccountEntry, EndedLink, useMailedToken } from "./account-entry.tsx";
import { nextToMail, withNext } from "./next-path.ts";

const emailOnly = (data: FormData): Faults => ({ email: emailFault(data) });

/** Asks for a link that sets a new password. The answer is the same for every address. */
export function ForgottenPage() {
  const { t } = useTranslation(["account", "account-mailed"]);
  const language = useLanguage();
  const [query] = useSearchParams();
  return (
    <AccountEntry
      title={t("account-mailed:forgotten.title")}
      lead={t("account-mailed:forgotten.lead")}
    >
      <SubmissionForm
        submission={{
          faultsIn: emailOnly,
          send: async (data) => {
            const email = textIn(data, "email").trim();
            const body = { email, language, ...nextToMail(query) };
            return refusalIn(
              await siteApi().call("POST /api/account/password/forgotten", { body }),
            );
          },
        }}
        submit={t("account-mailed:forgotten.submit")}
        sending={t("account-mailed:forgotten.submitting")}
        done={`${t("account-mailed:forgotten.done")} ${t("account-mailed:forgotten.spam")}`}
      >
        {(field) => <EmailField field={field} />}
      </SubmissionForm>
      <p className="account-entry__contact">
        <Link to={withNext("/login", query)}>{t("account-mailed:forgotten.back")}</Link>
      </p>
      <p className="account-entry__contact">
        <a href={privacyFormPages.ask}>{t("account-mailed:forgotten.privacy")}</a>
      </p>
    </AccountEntry>
  );
}

function ResetForm({ token }: { token: string }) {
  const { t } = useTranslation(["account", "account-mailed"]);
  const [query] = useSearchParams();
  return (
    <SubmissionForm
      submission={{
        faultsIn: (data) => ({ password: newPasswordFault(data) }),
        send: async (data) => {
          const body = { token, password: textIn(data, "password") };
          const result = await siteApi().call("POST /api/account/password/reset", { body });
          // All sign-in sessions have ended, that of this browser too.
          if (result.ok) removeToken();
          return refusalIn(result, { password_weak: "password" });
        },
      }}
      submit={t("account-mailed:reset.submit")}
      sending={t("account-mailed:reset.submitting")}
      done={
        <>
          {t("account-mailed:reset.done")}{" "}
          <Link to={withNext("/login", query)}>{t("account-mailed:reset.toSignIn")}</Link>
        </>
      }
    >
      {(field) => <NewPasswordField field={field} label={t("fields.newPassword")} />}
    </SubmissionForm>
  );
}

/** `/login/reset#token=`: sets a password with a mailed link. */
export function ResetPage() {
  const { t } = useTranslation(["account", "account-mailed"]);
  const token = useMailedToken();
  const [query] = useSearchParams();
  const forgotten = withNext("/login/forgotten", query);
  const again = (
    <Link className={buttonClass()} to={forgotten}>
      {t("account-mailed:reset.again")}
    </Link>
  );
  return (
    <AccountEntry title={t("account-mailed:reset.title")} lead={t("account-mailed:reset.lead")}>
      {token === undefined ? (
        <EndedLink ended={false}>{again}</EndedLink>
      ) : (
        <>
          <ResetForm key={token} token={token} />
          <p className="account-entry__contact">
            <Link to={forgotten}>{t("account-mailed:reset.again")}</Link>
          </p>
        </>
      )}
    </AccountEntry>
  );
}

const nothingMissing = (): Faults => ({});

/** `/login/email#token=`: the new address counts once the button was pressed, not when a program follows the link. */
export function ConfirmEmailPage() {
  const { t } = useTranslation(["account", "account-mailed"]);
  const token = useMailedToken();
  const toAccount = (
    <Link className={buttonClass()} to="/account/security">
      {t("account-mailed:email.toAccount")}
    </Link>
  );
  return (
    <AccountEntry title={t("account-mailed:email.title")} lead={t("account-mailed:email.lead")}>
      {token === undefined ? (
        <EndedLink ended={false}>{toAccount}</EndedLink>
      ) : (
        <SubmissionForm
          key={token}
          submission={{
            faultsIn: nothingMissing,
            send: async () => {
              const body = { token };
              return refusalIn(await siteApi().call("POST /api/account/email/confirm", { body }));
            },
          }}
          submit={t("account-mailed:email.submit")}
          sending={t("account-mailed:email.submitting")}
          done={
            <>
              {t("account-mailed:email.done")}{" "}
              <Link to="/account/security">{t("account-mailed:email.toAccount")}</Link>
            </>
          }
        >
          {() => null}
        </SubmissionForm>
      )}
    </AccountEntry>
  );
}

/** `/login/recovery#token=`: refuses the removal of the second factors. */
export function RefuseRecoveryPage() {
  const { t } = useTranslation(["account", "account-mailed"]);
  const token = useMailedToken();
  const toSignIn = (
    <Link className={buttonClass()} to="/login">
      {t("account-mailed:reset.toSignIn")}
    </Link>
  );
  return (
    <AccountEntry
      title={t("account-mailed:recovery.title")}
      lead={t("account-mailed:recovery.lead")}
    >
      {token === undefined ? (
        <EndedLink ended={false}>{toSignIn}</EndedLink>
      ) : (
        <SubmissionForm
          key={token}
          submission={{
            faultsIn: nothingMissing,
            send: async () => {
              const body = { token };
              return refusalIn(await siteApi().call("POST /api/account/recovery/refuse", { body }));
            },
          }}
          submit={t("account-mailed:recovery.submit")}
          sending={t("account-mailed:recovery.submitting")}
          done={
            <>
              {t("account-mailed:recovery.done")}{" "}
              <Link to="/login">{t("account-mailed:reset.toSignIn")}</Link>
            </>
          }
        >
          {() => null}
        </SubmissionForm>
      )}
    </AccountEntry>
  );
}
