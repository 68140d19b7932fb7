import { launch } from "@pro-talent/schemas/site/launch";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { CallFailure, queryAnswer } from "../../../api-client/query-answer.ts";
import { siteApi } from "../../../api-client/request.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { buttonClass } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { textIn } from "../../form-machine.ts";
import { SubmissionForm } from "../../submission-form.tsx";
import { refusalIn } from "../../submission.machine.ts";
import { useViewTexts } from "../../view-texts.ts";
import { EmailField, emailFault } from "../fields.tsx";
import { AccountEntry, EndedLink, useMailedToken } from "./account-entry.tsx";
import { JoinForm } from "./join-form.tsx";
import { nextToMail, withNext } from "./next-path.ts";

function JoinActions() {
  const { t } = useTranslation(["account", "account-entry"]);
  const [query] = useSearchParams();
  return (
    <>
      <p className="account-entry__actions">
        {launch.state === "waitlist" && (
          <a className={buttonClass("solid")} href="/signup">
            {t("account-entry:entry.join")}
          </a>
        )}
        <a className={buttonClass("text")} href="/pricing">
          {t("account-entry:entry.pricing")}
        </a>
      </p>
      <p className="account-entry__contact">
        {t("account-entry:join.haveAccount")}{" "}
        <Link to={withNext("/login", query)}>{t("signIn.title")}</Link>
      </p>
      <p className="account-entry__contact">
        {t("account-entry:entry.question")}{" "}
        <a href="/contact">{t("account-entry:entry.contact")}</a>
      </p>
    </>
  );
}

/** Until the launch: how an account opens by invitation, through the waitlist. */
function InvitationSteps() {
  const { t } = useTranslation(["account", "account-entry"]);
  return (
    <>
      <h2 id="join-steps" className="account-entry__steps-title">
        {t("account-entry:join.stepsTitle")}
      </h2>
      <ol className="account-entry__steps" aria-labelledby="join-steps">
        <li>{t("account-entry:join.steps.list")}</li>
        <li>{t("account-entry:join.steps.confirm")}</li>
        <li>{t("account-entry:join.steps.invitation")}</li>
      </ol>
    </>
  );
}

/** Mails a link that opens the account. The answer is the same for every address. */
function RegistrationForm() {
  const { t } = useTranslation(["account", "account-entry"]);
  const language = useLanguage();
  const [query] = useSearchParams();
  return (
    <SubmissionForm
      submission={{
        faultsIn: (data) => ({ email: emailFault(data) }),
        send: async (data) => {
          const body = {
            email: textIn(data, "email").trim(),
            language,
            ...nextToMail(query),
          };
          return refusalIn(await siteApi().call("POST /api/account/registration", { body }));
        },
      }}
      submit={t("account-entry:join.register")}
      sending={t("account-entry:join.registering")}
      done={t("account-entry:join.registered")}
    >
      {(field) => <EmailField field={field} />}
    </SubmissionForm>
  );
}

function Invitation({ token }: { token: string }) {
  const { t } = useTranslation(["account", "account-entry"]);
  const { texts, describe } = useViewTexts(t("account-entry:join.checking"));
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => queryAnswer(siteApi().call("POST /api/account/invitation", { body: { token } })),
    // A form is being filled in: nothing may replace it.
    staleTime: Infinity,
  });
  const { error } = invitation;
  if (error instanceof CallFailure && [404, 410, 422].includes(error.status)) {
    return (
      <EndedLink ended={error.status === 410}>
        <Link className={buttonClass()} to="/login">
          {t("signIn.title")}
        </Link>
        <a className={buttonClass("text")} href="/contact">
          {t("account-entry:entry.contact")}
        </a>
      </EndedLink>
    );
  }
  return (
    <DataView
      query={invitation}
      texts={texts}
      skeleton={<Skeleton shape="row" count={5} />}
      isEmpty={() => false}
      empty={{ title: t("account-entry:link.unknown") }}
      describe={describe}
    >
      {({ email }) => (
        <>
          <dl className="account-entry__for">
            <dt>{t("account-entry:join.address")}</dt>
            <dd>
              <bdi>{email}</bdi>
            </dd>
          </dl>
          <JoinForm token={token} email={email} />
        </>
      )}
    </DataView>
  );
}

/** `/join#token=` opens an account with a mailed link; without one it shows how to get it. */
export function JoinPage() {
  const { t } = useTranslation(["account", "account-entry"]);
  const token = useMailedToken();
  if (token !== undefined) {
    return (
      <AccountEntry
        title={t("account-entry:join.titleInvited")}
        lead={t("account-entry:join.leadInvited")}
      >
        <Invitation key={token} token={token} />
      </AccountEntry>
    );
  }
  return (
    <AccountEntry title={t("account-entry:join.title")} lead={t("account-entry:join.lead")}>
      {launch.state === "open" ? <RegistrationForm /> : <InvitationSteps />}
      <JoinActions />
    </AccountEntry>
  );
}
