import type { Account } from "@pro-talent/schemas/accounts/calls";
import { accountLimits as limit } from "@pro-talent/schemas/accounts/limits";
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { accountApi } from "../../../api-client/account-api.ts";
import type { CallAnswer, CallInput } from "../../../api-client/request.ts";
import { isLanguage } from "../../../i18n/languages.ts";
import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { Button, buttonClass } from "../../../ui/button/button.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { accountQuery, useAccount } from "../../account-query.ts";
import { useFormDraft } from "../../form-draft.ts";
import { textIn } from "../../form-machine.ts";
import { isolated } from "../../isolated.ts";
import { lazyPart } from "../../lazy-part.tsx";
import { type FieldState, SubmissionForm } from "../../submission-form.tsx";
import { type Faults, refusalIn } from "../../submission.machine.ts";
import { toaster } from "../../toaster.ts";
import { LanguageField, missing, TimeZoneField } from "../fields.tsx";
import { Photo } from "./photo.tsx";

import "../settings.css";

/** Below the first screen: its code is loaded beside the page. */
const OpenMailsPart = lazyPart(async () => (await import("./open-mails-part.tsx")).OpenMailsPart);

/** As the contract has it, which also knows the handles that are taken. */
const handleShape = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const fitsHandle = (text: string): boolean =>
  text.length >= limit.handleCharsMin &&
  text.length <= limit.handleCharsMax &&
  handleShape.test(text);

function handleFault(data: FormData): Faults[string] {
  const handle = textIn(data, "handle").trim().toLowerCase();
  return handle === "" || fitsHandle(handle) ? undefined : "account-profile:errors.handleInvalid";
}

export const profileFaults = (data: FormData): Faults => ({
  fullName: missing(data, "fullName", "nameRequired"),
  handle: handleFault(data),
  timeZone: missing(data, "timeZone", "zoneRequired"),
});

/** The profile as the form has it. */
export function profileIn(
  data: FormData,
): NonNullable<CallInput<"PATCH /api/account/profile">["body"]> {
  const handle = textIn(data, "handle").trim().toLowerCase();
  const language = textIn(data, "language");
  return {
    fullName: textIn(data, "fullName").trim(),
    phone: textIn(data, "phone").trim(),
    address: textIn(data, "address").trim(),
    handle: handle === "" ? null : handle,
    timeZone: textIn(data, "timeZone"),
    ...(isLanguage(language) ? { language } : {}),
  };
}

type FieldsProps = { field: FieldState; account: Account };

function PersonFields({ field, account: { profile } }: FieldsProps) {
  const { t } = useTranslation("account-profile");
  return (
    <>
      <h2 className="settings__title">{t("profile.about")}</h2>
      <Field {...field("fullName")} label={t("profile.fullName")}>
        {(control) => (
          <input
            {...control}
            name="fullName"
            dir="auto"
            autoComplete="name"
            defaultValue={profile.fullName}
            maxLength={limit.nameCharsMax}
            aria-required
          />
        )}
      </Field>
      <Field {...field("phone")} label={t("profile.phone")} hint={t("profile.phoneHint")}>
        {(control) => (
          <input
            {...control}
            name="phone"
            type="tel"
            dir="ltr"
            autoComplete="tel"
            defaultValue={profile.phone}
            maxLength={limit.phoneCharsMax}
          />
        )}
      </Field>
      <Field {...field("address")} label={t("profile.address")} hint={t("profile.addressHint")}>
        {(control) => (
          <textarea
            {...control}
            className={`${control.className} settings__address`}
            name="address"
            dir="auto"
            rows={2}
            autoComplete="street-address"
            defaultValue={profile.address}
            maxLength={limit.addressCharsMax}
          />
        )}
      </Field>
    </>
  );
}

/** Typing has paused for so long when a handle is asked about. */
const pauseMs = 500;

type Checked = CallAnswer<"POST /api/account/handle/check"> & { readonly handle: string };

/** Whether the handle that was typed is free, or another one; undefined as long as that is not known. */
function useChecked(handle: string, own: string | null): Checked | undefined {
  const [asked, setAsked] = useState<Checked>();
  useEffect(() => {
    if (handle === own || !fitsHandle(handle)) return undefined;
    const ask = async (): Promise<void> => {
      const result = await accountApi().call("POST /api/account/handle/check", {
        body: { handle },
      });
      if (result.ok && result.answer !== undefined) setAsked({ handle, ...result.answer });
    };
    // Without an answer nothing is said: saving the handle will.
    const timer = setTimeout(() => void ask().catch(() => undefined), pauseMs);
    return () => clearTimeout(timer);
  }, [handle, own]);
  return asked?.handle === handle && handle !== own ? asked : undefined;
}

function HandleField({ field, account }: FieldsProps) {
  const { t } = useTranslation(["account-profile", "account"]);
  const [handle, setHandle] = useState(account.profile.handle ?? "");
  const checked = useChecked(handle, account.profile.handle);
  const input = useRef<HTMLInputElement>(null);
  const suggestion = checked?.suggestion ?? null;
  const use = (chosen: string): void => {
    if (input.current === null) return;
    input.current.value = chosen;
    input.current.focus();
    setHandle(chosen);
  };
  const page = `${location.host}/p/${handle}`;
  return (
    <>
      <h2 className="settings__title">{t("profile.public")}</h2>
      <Field {...field("handle")} label={t("profile.handle")} hint={t("profile.handleHint")}>
        {(control) => (
          <input
            {...control}
            ref={input}
            name="handle"
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={account.profile.handle ?? ""}
            maxLength={limit.handleCharsMax}
            onChange={({ target }) => setHandle(target.value.trim().toLowerCase())}
          />
        )}
      </Field>
      <div className="settings__note settings__handle">
        {handle !== "" && (
          <bdi dir="ltr" className="settings__page">
            {page}
          </bdi>
        )}
        <output>
          {checked !== undefined && t(checked.free ? "profile.handleFree" : "errors.handleTaken")}
        </output>
        {suggestion !== null && (
          <Button variant="text" onClick={() => use(suggestion)}>
            {t("profile.handleUse", { handle: isolated(suggestion) })}
          </Button>
        )}
      </div>
    </>
  );
}

function ProfileForm({ account }: { account: Account }) {
  const { t } = useTranslation(["account-profile", "account"]);
  const cache = useQueryClient();
  const draft = useFormDraft("profile", account.accountId);
  return (
    <SubmissionForm
      form={draft.form}
      onChange={draft.onChange}
      submission={{
        faultsIn: profileFaults,
        send: async (data) => {
          const body = profileIn(data);
          const result = await accountApi().call("PATCH /api/account/profile", { body });
          if (result.ok && result.answer !== undefined) {
            draft.forget();
            cache.setQueryData(accountQuery.queryKey, result.answer);
            toaster.show({ text: t("profile.saved") });
          }
          return refusalIn(result, { handle_taken: "handle" });
        },
      }}
      submit={t("profile.save")}
      sending={t("profile.saving")}
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
          <PersonFields field={field} account={account} />
          <HandleField field={field} account={account} />
          <h2 className="settings__title">{t("profile.place")}</h2>
          <LanguageField
            field={field}
            label={t("profile.language")}
            chosen={account.profile.language}
          />
          <TimeZoneField field={field} chosen={account.profile.timeZone} />
        </>
      )}
    </SubmissionForm>
  );
}

/** The page at the address of the handle is made elsewhere. */
function PortfolioPart() {
  const { t } = useTranslation("account-profile");
  return (
    <section className="settings__part" aria-labelledby="portfolio">
      <div className="settings__intro">
        <h2 id="portfolio" className="settings__title">
          {t("portfolio.title")}
        </h2>
        <p className="settings__note">{t("portfolio.intro")}</p>
      </div>
      <p>
        <Link className={buttonClass()} to="/portfolio">
          {t("portfolio.action")}
        </Link>
      </p>
    </section>
  );
}

/** What an account holder states of themself. */
export function ProfilePage() {
  const { t } = useTranslation("account-profile");
  const account = useAccount();
  return (
    <>
      <PageHeader title={t("profile.title")} lead={t("profile.lead")} />
      <div className="settings settings--beside">
        <ProfileForm account={account} />
        <Photo account={account} />
      </div>
      <PortfolioPart />
      <Suspense fallback={<Skeleton shape="row" count={4} />}>
        <OpenMailsPart />
      </Suspense>
    </>
  );
}
