import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { useMutation } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import { Field } from "../../ui/field/field.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import type { Described } from "./analyst-calls.ts";
import type { KeptQuery } from "./kept-queries.ts";
import {
  parameterFault,
  type QueryParameter,
  parametersIn,
  sentParameters,
  valueOf,
} from "./parameters.ts";
import type { FileKind, QueryRun } from "./query-run.ts";
import { FaultNotice, RunBar } from "./run-bar.tsx";
import type { SqlEditorProps } from "./sql-editor.tsx";

import "./query-panel.css";

/** Without its code a plain field takes its place: queries can be written there, too. */
const SqlEditor = lazy(async () => {
  const loaded = await import("./sql-editor.tsx").catch(() => undefined);
  return { default: loaded?.SqlEditor ?? PlainEditor };
});
const ResultPanel = lazy(async () => ({
  default: (await import("./result-panel.tsx")).ResultPanel,
}));

function PlainEditor({ text, onChange }: SqlEditorProps) {
  const { t } = useTranslation("analyst");
  return (
    <textarea
      className="field__control sql-editor"
      dir="ltr"
      rows={8}
      spellCheck={false}
      aria-label={t("editor.label")}
      value={text}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

const inputs = {
  date: { type: "date" },
  "date-time": { type: "datetime-local", step: 1 },
  number: { type: "text", inputMode: "decimal" },
  text: { type: "text" },
} as const;

const fieldOf = (name: string): string => `parameter-${name}`;

/** The values that the fields hold: newer ones than those of the query until that is drawn again. */
function valuesIn(
  parameters: readonly QueryParameter[],
  drawn: KeptQuery["parameters"],
): KeptQuery["parameters"] {
  const values = parameters.map((parameter) => {
    const field = document.getElementById(fieldOf(parameter.name));
    const value = field instanceof HTMLInputElement ? field.value : valueOf(parameter, drawn);
    return [parameter.name, value] as const;
  });
  return Object.fromEntries(values);
}

type ParametersProps = {
  parameters: readonly QueryParameter[];
  values: KeptQuery["parameters"];
  /** Faults are shown after the first attempt to run. */
  asked: boolean;
  onChange: (values: KeptQuery["parameters"]) => void;
  onRun: () => void;
};

function Parameters({ parameters, values, asked, onChange, onRun }: ParametersProps) {
  const { t } = useTranslation("analyst");
  if (parameters.length === 0) return null;
  return (
    <fieldset className="query-parameters">
      <legend className="field__label">{t("parameters.title")}</legend>
      {parameters.map((parameter) => {
        const { name, type, kind } = parameter;
        const value = valueOf(parameter, values);
        const fault = asked ? parameterFault(parameter, value) : undefined;
        return (
          <Field
            key={name}
            id={fieldOf(name)}
            label={name}
            hint={kind === "date-time" ? `${type}. ${t("parameters.timeHint")}` : type}
            error={fault && t(`parameters.${fault}`, { name })}
          >
            {(control) => (
              <input
                {...control}
                {...inputs[kind]}
                dir={kind === "text" ? "auto" : "ltr"}
                autoComplete="off"
                maxLength={analystLimits.parameterCharsMax}
                value={value}
                onChange={({ target }) => onChange({ ...values, [name]: target.value })}
                onKeyDown={({ key, ctrlKey, metaKey }) => {
                  if (key === "Enter" && (ctrlKey || metaKey)) onRun();
                }}
              />
            )}
          </Field>
        );
      })}
    </fieldset>
  );
}

type QueryPanelProps = {
  query: KeptQuery;
  described: Described;
  run: QueryRun;
  onChange: (part: Partial<KeptQuery>) => void;
  /** How the query is saved. */
  save: ReactNode;
};

function useFormatting({ query, onChange }: Pick<QueryPanelProps, "query" | "onChange">) {
  return useMutation({
    mutationFn: async (text: string) => {
      const body = { text };
      const answer = await accountApi().call("POST /api/console/analyst/format", { body });
      return answer.ok ? answer.answer?.text : undefined;
    },
    onSuccess: (text, sent) => {
      // Not over what was written meanwhile.
      if (text !== undefined && sent === query.text) onChange({ text });
    },
  });
}

/** What a query is asked with. `asked`: whether it was tried, after which faults of parameters are shown. */
function useAsking(query: KeptQuery, run: QueryRun) {
  const [asked, setAsked] = useState(false);
  const ask = (how: "rows" | FileKind, text = query.text): void => {
    const { is } = run.snapshot();
    if (is === "running" || is === "cancelling" || text.trim() === "") return;
    setAsked(true);
    const parameters = parametersIn(text);
    const values = valuesIn(parameters, query.parameters);
    const sent = { text, parameters: sentParameters(parameters, values) };
    const wrong = parameters.find((one) => parameterFault(one, values[one.name] ?? ""));
    if (wrong !== undefined) document.getElementById(fieldOf(wrong.name))?.focus();
    else if (how === "rows") void run.rows(sent);
    else void run.file(sent, how);
  };
  return { parameters: parametersIn(query.text), asked, ask };
}

/** Cancels what runs, if anything does. */
function useEscape(run: QueryRun): void {
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") void run.cancel();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [run]);
}

/** A query: its text, its parameters, what became of it. Escape cancels while it runs. */
export function QueryPanel({ query, described, run, onChange, save }: QueryPanelProps) {
  const { t } = useTranslation("analyst");
  const state = useSyncExternalStore(run.subscribe, run.snapshot);
  const [visits, setVisits] = useState(0);
  const formatting = useFormatting({ query, onChange });
  const { limits } = described;
  const { parameters, asked, ask } = useAsking(query, run);
  useEscape(run);
  const isFault = state.is === "failed" && state.asked.text === query.text;
  const editor = {
    queryId: query.id,
    text: query.text,
    described,
    fault: isFault ? state.fault : undefined,
    visits,
    onChange: (text: string) => onChange({ text }),
    onRun: (text: string) => ask("rows", text),
  };
  return (
    <div className="query-panel">
      <Suspense fallback={<Skeleton shape="block" count={2} />}>
        <SqlEditor {...editor} />
      </Suspense>
      <p className="query-panel__keys">{t("editor.keys")}</p>
      <Parameters
        parameters={parameters}
        values={query.parameters}
        asked={asked}
        onChange={(values) => onChange({ parameters: values })}
        onRun={() => ask("rows")}
      />
      <RunBar
        state={state}
        secondsMax={limits["secondsMax"] ?? 0}
        onRun={() => ask("rows")}
        onCancel={() => void run.cancel()}
        onFormat={() => formatting.mutate(query.text)}
      />
      {save}
      <FaultNotice
        fault={state.is === "failed" ? state.fault : undefined}
        onGo={isFault ? () => setVisits((before) => before + 1) : undefined}
      />
      <Suspense fallback={<Skeleton shape="row" count={4} />}>
        <ResultPanel
          run={run}
          query={query}
          rowsMax={limits["fileRowsMax"] ?? 0}
          onExport={ask}
          onChange={onChange}
        />
      </Suspense>
    </div>
  );
}
