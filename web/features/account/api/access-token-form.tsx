import { accessTokenDays, accountLimits as limit } from "@pro-talent/schemas/accounts/limits";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import { Choice } from "../../../ui/choice/choice.tsx";
import { Field, FieldError } from "../../../ui/field/field.tsx";
import { Select } from "../../../ui/field/select.tsx";
import { useAccount } from "../../account-query.ts";
import { textIn } from "../../form-machine.ts";
import type { FieldState } from "../../submission-form.tsx";
import { missing } from "../fields.tsx";
import { accessTokensQuery } from "./access-tokens-query.ts";
import { SecretForm } from "./secret-form.tsx";

/** Keys of the texts of each scope: a colon would separate a namespace. */
export const scopeTexts = {
  "links:read": "links",
  "opens:read": "opens",
  "analytics:query": "analytics",
} as const;

/** What every holder may let a program read, and what analysts may. */
const scopesOf = {
  holder: ["links:read", "opens:read"],
  analyst: ["links:read", "opens:read", "analytics:query"],
} as const;

const scopesIn = (data: FormData) => scopesOf.analyst.filter((scope) => data.has(scope));
const usualDays = 90;

/** The first choice is checked: most programs begin with the list of links. */
function Scopes({ field }: { field: FieldState }) {
  const { t } = useTranslation("account-api");
  const { id, error } = field("scopes");
  const { roles } = useAccount();
  return (
    <fieldset id={id} className="api-scopes" tabIndex={-1}>
      <legend className="field__label">{t("make.scopes")}</legend>
      {scopesOf[roles.includes("analyst") ? "analyst" : "holder"].map((scope, index) => (
        <Choice
          key={scope}
          type="checkbox"
          id={`${id}-${index}`}
          name={scope}
          value="yes"
          label={t(`scopes.${scopeTexts[scope]}`)}
          hint={t(`make.scopeHints.${scopeTexts[scope]}`)}
          defaultChecked={index === 0}
        />
      ))}
      <FieldError id={id} error={error} />
    </fieldset>
  );
}

function Days({ field }: { field: FieldState }) {
  const { t } = useTranslation("account-api");
  return (
    <Field {...field("days")} label={t("make.days")}>
      {(control) => (
        <Select {...control} name="days" defaultValue={usualDays}>
          {accessTokenDays.map((days) => (
            <option key={days} value={days}>
              {t("make.daysOf", { count: days })}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** Makes an access token. @param onMade receives the token, which is shown once */
export function AccessTokenForm({ onMade }: { onMade: (secret: string) => void }) {
  const { t } = useTranslation("account-api");
  return (
    <SecretForm
      texts={t("make", { returnObjects: true })}
      faultsIn={(data) => ({
        name: missing(data, "name", "nameRequired"),
        scopes: scopesIn(data).length === 0 ? "account-api:errors.scopeRequired" : undefined,
      })}
      make={(data) => {
        const days = accessTokenDays.find((known) => String(known) === textIn(data, "days"));
        const body = { name: textIn(data, "name").trim(), scopes: scopesIn(data), days };
        return accountApi().call("POST /api/account/tokens", { body });
      }}
      listKey={accessTokensQuery.queryKey}
      onMade={onMade}
    >
      {(field) => (
        <>
          <Field {...field("name")} label={t("make.name")} hint={t("make.nameHint")}>
            {(control) => (
              <input
                {...control}
                name="name"
                dir="auto"
                autoComplete="off"
                maxLength={limit.accessTokenNameCharsMax}
                aria-required
              />
            )}
          </Field>
          <Scopes field={field} />
          <Days field={field} />
        </>
      )}
    </SecretForm>
  );
}
