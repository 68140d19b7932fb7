import type { Account } from "@pro-talent/schemas/accounts/calls";
import { accountLimits as limit } from "@pro-talent/schemas/accounts/limits";
import type { PublicPage } from "@pro-talent/schemas/accounts/public-page";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { accountApi } from "../../../api-client/account-api.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Checkbox } from "../../../ui/checkbox/checkbox.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { publicPageQuery } from "../../account-query.ts";
import { useFormDraft } from "../../form-draft.ts";
import { textIn } from "../../form-machine.ts";
import { type FieldState, SubmissionForm } from "../../submission-form.tsx";
import { type AccountFault, type Faults, refusalIn } from "../../submission.machine.ts";
import { toaster } from "../../toaster.ts";
import { useViewTexts } from "../../view-texts.ts";

const places = Array.from({ length: limit.pageLinksMax }, (_, index) => index);

/** A label and an address for each link; an empty row is none. */
const rowsIn = (data: FormData) =>
  places.map((index) => ({
    index,
    label: textIn(data, `label${index}`).trim(),
    url: textIn(data, `url${index}`).trim(),
  }));

const withScheme = (url: string): string =>
  /^[a-z][a-z\d+.-]*:/iu.test(url) ? url : `https://${url}`;

/** The server also refuses names that lead into a network. */
function isPublicUrl(text: string): boolean {
  const url = withScheme(text);
  return URL.canParse(url) && url.startsWith("https:") && new URL(url).hostname.includes(".");
}

export function pageFaults(data: FormData): Faults {
  const faults: Record<string, AccountFault | undefined> = {};
  for (const { index, label, url } of rowsIn(data)) {
    if (label === "" && url === "") continue;
    if (label === "") faults[`label${index}`] = "account-profile:errors.labelRequired";
    if (!isPublicUrl(url)) faults[`url${index}`] = "urlInvalid";
  }
  return faults;
}

/** The public page as the form has it. */
export const pageIn = (data: FormData): PublicPage => ({
  headline: textIn(data, "headline").trim(),
  // Browsers send lines of a form with CR LF.
  summary: textIn(data, "summary").replaceAll("\r\n", "\n").trim(),
  links: rowsIn(data)
    .filter(({ label, url }) => label !== "" && url !== "")
    .map(({ label, url }) => ({ label, url: withScheme(url) })),
  published: data.has("published"),
});

type FieldsProps = { field: FieldState; page: PublicPage };

function WordFields({ field, page }: FieldsProps) {
  const { t } = useTranslation("account-profile");
  return (
    <>
      <Field {...field("headline")} label={t("page.headline")} hint={t("page.headlineHint")}>
        {(control) => (
          <input
            {...control}
            name="headline"
            dir="auto"
            autoComplete="organization-title"
            defaultValue={page.headline}
            maxLength={limit.headlineCharsMax}
          />
        )}
      </Field>
      <Field {...field("summary")} label={t("page.summary")} hint={t("page.summaryHint")}>
        {(control) => (
          <textarea
            {...control}
            name="summary"
            dir="auto"
            rows={7}
            defaultValue={page.summary}
            maxLength={limit.summaryCharsMax}
          />
        )}
      </Field>
    </>
  );
}

function LinkFields({ field, page }: FieldsProps) {
  const { t } = useTranslation("account-profile");
  const [rows, setRows] = useState(Math.max(1, page.links.length));
  return (
    <fieldset className="page-links">
      <legend className="field__label">{t("page.links")}</legend>
      <p className="settings__note">{t("page.linksHint")}</p>
      {places.slice(0, rows).map((index) => (
        <div className="page-links__row" key={index}>
          <Field {...field(`label${index}`)} label={t("page.label")}>
            {(control) => (
              <input
                {...control}
                name={`label${index}`}
                dir="auto"
                defaultValue={page.links[index]?.label ?? ""}
                maxLength={limit.pageLinkLabelCharsMax}
              />
            )}
          </Field>
          <Field {...field(`url${index}`)} label={t("page.url")}>
            {(control) => (
              <input
                {...control}
                name={`url${index}`}
                type="url"
                dir="ltr"
                defaultValue={page.links[index]?.url ?? ""}
              />
            )}
          </Field>
        </div>
      ))}
      {rows < limit.pageLinksMax && (
        <Button variant="text" onClick={() => setRows(rows + 1)}>
          {t("page.add")}
        </Button>
      )}
    </fieldset>
  );
}

function PageForm({ account, page }: { account: Account; page: PublicPage }) {
  const { t } = useTranslation(["account-profile", "account"]);
  const cache = useQueryClient();
  const draft = useFormDraft("page", account.accountId);
  return (
    <SubmissionForm
      form={draft.form}
      onChange={draft.onChange}
      submission={{
        faultsIn: pageFaults,
        send: async (data) => {
          const result = await accountApi().call("PUT /api/account/page", { body: pageIn(data) });
          if (!result.ok && result.code === "invalid_body") return { fault: "urlInvalid" };
          if (result.ok && result.answer !== undefined) {
            draft.forget();
            cache.setQueryData(publicPageQuery.queryKey, result.answer);
            toaster.show({ text: t("page.saved") });
          }
          return refusalIn(result);
        },
      }}
      submit={t("page.save")}
      sending={t("page.saving")}
    >
      {(field) => (
        <>
          {draft.restored && (
            <p className="settings__restored">
              <span>{t("account:form.restored")}</span>
              <Button variant="text" onClick={draft.discard}>
                {t("account:form.discard")}
              </Button>
            </p>
          )}
          <WordFields field={field} page={page} />
          <LinkFields field={field} page={page} />
          <Checkbox
            {...field("published")}
            name="published"
            value="yes"
            required={false}
            defaultChecked={page.published}
          >
            {t("page.publish")}
          </Checkbox>
        </>
      )}
    </SubmissionForm>
  );
}

/** Where the page is, once there is a handle. */
function PageAddress({ account: { profile } }: { account: Account }) {
  const { t } = useTranslation("account-profile");
  const address = `${location.host}/p/${profile.handle ?? ""}`;
  if (profile.handle === null) return <p className="settings__note">{t("page.noAddress")}</p>;
  return (
    <p className="settings__note">
      {t("page.address")}{" "}
      <a href={`/p/${profile.handle}`} target="_blank" rel="noreferrer">
        <bdi dir="ltr" className="settings__page">
          {address}
        </bdi>
      </a>
    </p>
  );
}

/** What the holder publishes beside name and photo, and whether it is published. */
export function PublicPagePart({ account }: { account: Account }) {
  const { t } = useTranslation(["account-profile", "account"]);
  const { texts, describe } = useViewTexts(t("account:view.loading"));
  const query = useQuery(publicPageQuery);
  return (
    <section className="settings__part" aria-labelledby="public-page">
      <div className="settings__intro">
        <h2 id="public-page" className="settings__title">
          {t("page.title")}
        </h2>
        <p className="settings__note">
          {t("page.intro")} <Link to="/account/subscription">{t("page.plan")}</Link>
        </p>
        <PageAddress account={account} />
      </div>
      <div className="settings__content">
        <DataView
          query={query}
          texts={texts}
          skeleton={<Skeleton shape="row" count={4} />}
          isEmpty={() => false}
          empty={{ title: t("page.title") }}
          describe={describe}
        >
          {(page) => <PageForm account={account} page={page} />}
        </DataView>
      </div>
    </section>
  );
}
