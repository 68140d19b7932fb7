import { breachLimits, dataCategories, peopleCategories } from "@pro-talent/schemas/breaches/kinds";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Checkbox } from "../../ui/checkbox/checkbox.tsx";
import { Field } from "../../ui/field/field.tsx";
import { textIn } from "../form-machine.ts";
import { type FieldState, SubmissionForm } from "../submission-form.tsx";
import { type Breach, type Known, useBreachActs } from "./breach-queries.ts";
import { instantIn, localTime } from "./breach-times.ts";

function knownIn(data: FormData): Known {
  const chosen = (name: string): string[] =>
    data.getAll(name).filter((value) => typeof value === "string");
  const count = (name: string): number => Math.max(0, Math.trunc(Number(textIn(data, name))));
  return {
    discoveredAt: instantIn(data, "discoveredAt") ?? "",
    people: count("people"),
    records: count("records"),
    dataCategories: dataCategories.filter((kind) => chosen("data").includes(kind)),
    peopleCategories: peopleCategories.filter((kind) => chosen("whose").includes(kind)),
    stores: chosen("stores"),
    text: {
      nature: textIn(data, "nature").trim(),
      consequences: textIn(data, "consequences").trim(),
      measures: textIn(data, "measures").trim(),
    },
  };
}

type BoxesProps = {
  name: string;
  legend: string;
  boxes: readonly { value: string; label: string }[];
  checked: readonly string[];
};

function Boxes({ name, legend, boxes, checked }: BoxesProps) {
  return (
    <fieldset className="breach-form__boxes">
      <legend>{legend}</legend>
      {boxes.map(({ value, label }) => (
        <Checkbox
          key={value}
          id={`breach-${name}-${value.replaceAll(/[^a-z0-9]/giu, "-")}`}
          name={name}
          value={value}
          required={false}
          defaultChecked={checked.includes(value)}
        >
          {label}
        </Checkbox>
      ))}
    </fieldset>
  );
}

/** The stores of the record of processing activities, by activity. What is known stays chosen meanwhile. */
function Stores({ checked }: { checked: readonly string[] }) {
  const { t } = useTranslation("breaches");
  const language = useLanguage();
  const record = useQuery({
    queryKey: ["console", "privacy", "processing"],
    queryFn: () => queryAnswer(accountApi().call("GET /api/privacy/officer/processing-record", {})),
  });
  if (record.data === undefined)
    return (
      <>
        <p>{t(record.isError ? "form.storesFailed" : "form.storesLoading")}</p>
        {checked.map((store) => (
          <input key={store} type="hidden" name="stores" value={store} />
        ))}
      </>
    );
  return (
    <fieldset className="breach-form__boxes">
      <legend>{t("form.stores")}</legend>
      {record.data.activities.map(({ id, name, assets }) => {
        const stores = assets.map((asset) => `${asset.store} ${asset.name}`);
        return (
          <details key={id} open={stores.some((store) => checked.includes(store))}>
            <summary>{name[language]}</summary>
            <Boxes
              name="stores"
              legend={name[language]}
              boxes={stores.map((store) => ({ value: store, label: `\u2066${store}\u2069` }))}
              checked={checked}
            />
          </details>
        );
      })}
    </fieldset>
  );
}

type Value = { field: FieldState; known: Known | undefined };

function Numbers({ field, known }: Value) {
  const { t } = useTranslation("breaches");
  return (["people", "records"] as const).map((name) => (
    <Field key={name} {...field(name)} label={t(`form.${name}`)} hint={t("form.roughly")}>
      {(control) => (
        <input
          {...control}
          name={name}
          type="number"
          min={0}
          max={breachLimits.peopleMax}
          inputMode="numeric"
          defaultValue={known?.[name] ?? 0}
        />
      )}
    </Field>
  ));
}

function Words({ field, known }: Value) {
  const { t } = useTranslation("breaches");
  return (["nature", "consequences", "measures"] as const).map((name) => (
    <Field key={name} {...field(name)} label={t(`form.${name}`)} hint={t("form.sealed")}>
      {(control) => (
        <textarea
          {...control}
          name={name}
          dir="auto"
          rows={4}
          maxLength={breachLimits.textCharsMax}
          defaultValue={known?.text[name]}
        />
      )}
    </Field>
  ));
}

function DiscoveredAt({ field, known }: Value) {
  const { t } = useTranslation("breaches");
  return (
    <Field
      {...field("discoveredAt")}
      label={t("form.discoveredAt")}
      hint={t("form.discoveredHint")}
    >
      {(control) => (
        <input
          {...control}
          name="discoveredAt"
          type="datetime-local"
          max={localTime()}
          defaultValue={localTime(known && new Date(known.discoveredAt))}
          aria-required
        />
      )}
    </Field>
  );
}

const faultsIn = (data: FormData) => ({
  discoveredAt:
    instantIn(data, "discoveredAt") === undefined
      ? ("breaches:errors.discoveredRequired" as const)
      : undefined,
  nature:
    textIn(data, "nature").trim() === "" ? ("breaches:errors.natureRequired" as const) : undefined,
});

/** What is known of a breach: recorded anew, or corrected. */
export function BreachForm({ breach, onDone }: { breach?: Breach; onDone: () => void }) {
  const { t } = useTranslation("breaches");
  const acts = useBreachActs(breach);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const send = async (data: FormData) => {
    const refused = await (breach === undefined ? acts.record : acts.correct)(knownIn(data));
    if (refused === undefined) onDone();
    return refused;
  };
  return (
    <SubmissionForm
      submission={{ faultsIn, send }}
      submit={t(breach === undefined ? "form.record" : "form.correct")}
      sending={t("form.sending")}
      actions={<Button onClick={onDone}>{t("form.keep")}</Button>}
    >
      {(field) => (
        <>
          <h2 ref={title} tabIndex={-1}>
            {t(breach === undefined ? "form.recordTitle" : "form.correctTitle")}
          </h2>
          <DiscoveredAt field={field} known={breach} />
          <Words field={field} known={breach} />
          <Numbers field={field} known={breach} />
          <Boxes
            name="data"
            legend={t("form.data")}
            boxes={dataCategories.map((kind) => ({ value: kind, label: t(`data.${kind}`) }))}
            checked={breach?.dataCategories ?? []}
          />
          <Boxes
            name="whose"
            legend={t("form.whose")}
            boxes={peopleCategories.map((kind) => ({ value: kind, label: t(`people.${kind}`) }))}
            checked={breach?.peopleCategories ?? []}
          />
          <Stores checked={breach?.stores ?? []} />
        </>
      )}
    </SubmissionForm>
  );
}
