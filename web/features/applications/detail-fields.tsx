import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";

import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { textIn } from "../form-machine.ts";
import type { FieldState } from "../submission-form.tsx";
import type { Faults } from "../submission.machine.ts";
import type { Details, NewApplication } from "./queries.ts";

const currencies = ["ILS", "USD", "EUR", "GBP"] as const;
const periods = ["year", "month", "hour"] as const;

/** An amount as it was typed, with or without separators; null where nothing was, NaN where it is none. */
function amountIn(data: FormData, name: string): number | null {
  const typed = textIn(data, name).replaceAll(/[\s,.'’]/gu, "");
  if (typed === "") return null;
  return /^\d{1,9}$/u.test(typed) ? Number(typed) : Number.NaN;
}

function salaryIn(data: FormData): Details["salary"] {
  const [from, to] = [amountIn(data, "salaryFrom"), amountIn(data, "salaryTo")];
  if (from === null && to === null) return null;
  const per = periods.find((one) => one === textIn(data, "salaryPer")) ?? "year";
  return { from, to, per, currency: textIn(data, "salaryCurrency") || "ILS" };
}

/** What is wrong with the details of an application. */
export function detailFaults(data: FormData): Faults {
  const salary = salaryIn(data);
  const bounds = [salary?.from ?? null, salary?.to ?? null];
  const [from = null, to = null] = bounds;
  const isWrong = bounds.some(Number.isNaN) || (from !== null && to !== null && from > to);
  return {
    company:
      textIn(data, "company").trim() === "" ? "applications:errors.companyRequired" : undefined,
    salaryFrom: isWrong ? "applications:errors.salaryInvalid" : undefined,
  };
}

/** The details that a form states; what it has no field for stays as it was. */
export function detailsIn(data: FormData, earlier?: Details): NewApplication["details"] {
  const dayIn = (name: string): string | null => textIn(data, name) || null;
  return {
    company: textIn(data, "company"),
    role: textIn(data, "role"),
    place: textIn(data, "place"),
    source: textIn(data, "source"),
    jobUrl: textIn(data, "jobUrl"),
    salary: salaryIn(data),
    deadline: dayIn("deadline"),
    appliedOn: dayIn("appliedOn"),
    contacts: earlier?.contacts ?? [],
  };
}

type FieldsProps = { field: FieldState; details?: Details | undefined };
type TextName = "company" | "role" | "place" | "source";

type TextFieldProps = FieldsProps & { name: TextName } & Pick<ComponentProps<"input">, "list">;

export function TextField({ field, details, name, list }: TextFieldProps) {
  const { t } = useTranslation("applications");
  return (
    <Field {...field(name)} label={t(`fields.${name}`)}>
      {(control) => (
        <input
          {...control}
          name={name}
          dir="auto"
          autoComplete="off"
          list={list}
          maxLength={limit.lineCharsMax}
          defaultValue={details?.[name]}
          aria-required={name === "company"}
        />
      )}
    </Field>
  );
}

export function DayField({
  field,
  details,
  name,
}: FieldsProps & { name: "deadline" | "appliedOn" }) {
  const { t } = useTranslation("applications");
  return (
    <Field {...field(name)} label={t(`fields.${name}`)}>
      {(control) => (
        <input {...control} name={name} type="date" defaultValue={details?.[name] ?? ""} />
      )}
    </Field>
  );
}

function AmountField({ field, details, name }: FieldsProps & { name: "salaryFrom" | "salaryTo" }) {
  const { t } = useTranslation("applications");
  const amount = details?.salary?.[name === "salaryFrom" ? "from" : "to"];
  return (
    <Field {...field(name)} label={t(`fields.${name}`)}>
      {(control) => (
        <input
          {...control}
          name={name}
          dir="ltr"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={amount ?? ""}
        />
      )}
    </Field>
  );
}

/** From, to, in which currency and for how long. */
export function SalaryFields({ field, details }: FieldsProps) {
  const { t } = useTranslation("applications");
  const { currency = "ILS", per = "year" } = details?.salary ?? {};
  return (
    <fieldset className="tracker-fields__group">
      <legend className="field__label">{t("fields.salary")}</legend>
      <AmountField field={field} details={details} name="salaryFrom" />
      <AmountField field={field} details={details} name="salaryTo" />
      <Field {...field("salaryCurrency")} label={t("fields.currency")}>
        {(control) => (
          <Select {...control} name="salaryCurrency" defaultValue={currency}>
            {[...new Set<string>([...currencies, currency])].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field {...field("salaryPer")} label={t("fields.per")}>
        {(control) => (
          <Select {...control} name="salaryPer" defaultValue={per}>
            {periods.map((one) => (
              <option key={one} value={one}>
                {t(`salary.of.${one}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </fieldset>
  );
}
