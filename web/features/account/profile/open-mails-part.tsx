import type { OpenMails } from "@pro-talent/schemas/links/mail-calls";
import { openMailPreferences } from "@pro-talent/schemas/links/mail-preferences";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { accountApi } from "../../../api-client/account-api.ts";
import { queryAnswer } from "../../../api-client/query-answer.ts";
import { Choice } from "../../../ui/choice/choice.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { textIn } from "../../form-machine.ts";
import { SubmissionForm } from "../../submission-form.tsx";
import { refusalIn } from "../../submission.machine.ts";
import { toaster } from "../../toaster.ts";
import { useViewTexts } from "../../view-texts.ts";

const openMailsQuery = queryOptions({
  queryKey: ["account", "open-mails"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/link-mails", {})),
});

function OpenMailsForm({ preference, digestsIncluded }: OpenMails) {
  const { t } = useTranslation("account-profile");
  const cache = useQueryClient();
  const id = useId();
  const offered = openMailPreferences.filter(
    (one) => digestsIncluded || one === "off" || one === "first-open",
  );
  // After a change of the plan the first open is mailed instead of summaries.
  const chosen = offered.includes(preference) ? preference : "first-open";
  return (
    <SubmissionForm
      submission={{
        faultsIn: () => ({}),
        send: async (data) => {
          const wanted = openMailPreferences.find((one) => one === textIn(data, "openMails"));
          const body = { preference: wanted ?? chosen };
          const result = await accountApi().call("PUT /api/link-mails", { body });
          if (result.ok && result.answer !== undefined) {
            cache.setQueryData(openMailsQuery.queryKey, result.answer);
            toaster.show({ text: t("openMails.saved") });
          }
          return refusalIn(result);
        },
      }}
      submit={t("openMails.save")}
      sending={t("openMails.saving")}
    >
      {() => (
        <fieldset className="settings__choices">
          <legend className="field__label">{t("openMails.legend")}</legend>
          {offered.map((one) => (
            <Choice
              key={one}
              type="radio"
              id={`${id}-${one}`}
              name="openMails"
              value={one}
              label={t(`openMails.${one}.label`)}
              hint={t(`openMails.${one}.hint`)}
              defaultChecked={one === chosen}
            />
          ))}
        </fieldset>
      )}
    </SubmissionForm>
  );
}

/** When the holder gets mails about opens of their links. */
export function OpenMailsPart() {
  const { t } = useTranslation("account-profile");
  const { texts, describe } = useViewTexts(t("openMails.loading"));
  const query = useQuery(openMailsQuery);
  return (
    <section id="open-mails" className="settings__part" aria-labelledby="open-mails-title">
      <div className="settings__intro">
        <h2 id="open-mails-title" className="settings__title">
          {t("openMails.title")}
        </h2>
        <p className="settings__note">{t("openMails.lead")}</p>
        {query.data?.digestsIncluded === false && (
          <p className="settings__note">
            {t("openMails.firstOnly")} <Link to="/account/subscription">{t("openMails.plan")}</Link>
          </p>
        )}
      </div>
      <div className="settings__content">
        <DataView
          query={query}
          texts={texts}
          skeleton={<Skeleton shape="row" count={4} />}
          // There is always a choice: at first it is the first open.
          isEmpty={() => false}
          empty={{ title: t("openMails.title") }}
          describe={describe}
        >
          {(answer) => <OpenMailsForm {...answer} />}
        </DataView>
      </div>
    </section>
  );
}
