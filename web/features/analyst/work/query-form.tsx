import { analystLimits as limit } from "@pro-talent/schemas/analysts/limits";
import { useMutation } from "@tanstack/react-query";
import { Suspense, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import { queryAnswer } from "../../../api-client/query-answer.ts";
import type { CallAnswer } from "../../../api-client/request.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Choice } from "../../../ui/choice/choice.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { Select } from "../../../ui/field/select.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { todayIn } from "../../days-in-query.ts";
import { lazyPart } from "../../lazy-part.tsx";
import { sentParameters, parametersIn as namedIn } from "../parameters.ts";
import { parametersIn } from "./parameters-in.ts";
import { daysOfRange, initialRange } from "./range.ts";
import { chartKinds, type QueryContent } from "./work-queries.ts";
import { codeOf, useRefusalText, useWorkTexts } from "./work-texts.ts";

/** The charts are a quarter of the page's code. */
const TileResult = lazyPart(async () => (await import("./tile-result.tsx")).TileResult);

type FormProps = { content: QueryContent; onChange: (content: QueryContent) => void };
type QueryRun = CallAnswer<"POST /api/console/analyst/queries">;

const inputTypes = { date: "date", "date-time": "text", number: "number", text: "text" } as const;

/** The values with which the query begins. */
function Parameters({ content, onChange }: FormProps) {
  const { t } = useTranslation("analyst-work");
  const id = useId();
  if (content.parameters.length === 0) return null;
  const put = (name: string, value: string): void =>
    onChange({
      ...content,
      parameters: content.parameters.map((one) => (one.name === name ? { ...one, value } : one)),
    });
  return (
    <fieldset className="query-form__group">
      <legend className="field__label">{t("query.parameters")}</legend>
      {content.parameters.map(({ name, kind, value }) => (
        <Field key={name} id={`${id}-${name}`} label={name}>
          {(control) => (
            <input
              {...control}
              type={inputTypes[kind]}
              step={kind === "number" ? "any" : undefined}
              dir="ltr"
              autoComplete="off"
              maxLength={limit.parameterCharsMax}
              value={value}
              onChange={({ target }) => put(name, target.value)}
            />
          )}
        </Field>
      ))}
    </fieldset>
  );
}

type ColumnsProps = {
  id: string;
  chart: QueryContent["chart"];
  known: readonly string[];
  change: (next: Partial<QueryContent["chart"]>) => void;
};

/** Along which column it is drawn. */
function Along({ id, chart, known, change }: ColumnsProps) {
  const { t } = useTranslation("analyst-work");
  return (
    <Field id={`${id}-x`} label={t("query.chartX")}>
      {(control) => (
        <Select
          {...control}
          value={chart.x ?? ""}
          onChange={({ target }) => change({ x: target.value === "" ? null : target.value })}
        >
          <option value="">{t("query.chartNone")}</option>
          {known.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** Which columns are its values. */
function Values({ id, chart, known, change }: ColumnsProps) {
  const { t } = useTranslation("analyst-work");
  const toggle = (name: string): void => {
    const others = chart.y.filter((one) => one !== name);
    const isChosen = others.length < chart.y.length;
    change({ y: isChosen ? others : [...others, name].slice(-limit.chartColumnsMax) });
  };
  return (
    <fieldset className="work-choices query-form__values">
      <legend className="field__label">{t("query.chartY")}</legend>
      {known.map((name) => (
        <Choice
          key={name}
          type="checkbox"
          id={`${id}-y-${name}`}
          name="y"
          value={name}
          label={name}
          checked={chart.y.includes(name)}
          onChange={() => toggle(name)}
        />
      ))}
    </fieldset>
  );
}

type ChartFieldsProps = FormProps & {
  /** Of the result; undefined until the query ran. */
  columns: readonly string[] | undefined;
};

/** How the result is drawn. Before its columns are known, those that were chosen are offered. */
function ChartFields({ content, onChange, columns }: ChartFieldsProps) {
  const { t } = useTranslation("analyst-work");
  const id = useId();
  const { chart } = content;
  const put = (next: Partial<QueryContent["chart"]>): void =>
    onChange({ ...content, chart: { ...chart, ...next } });
  const known = columns ?? [...new Set([...(chart.x === null ? [] : [chart.x]), ...chart.y])];
  const isPlotted = chart.kind === "line" || chart.kind === "bar";
  const values = isPlotted ? known.filter((name) => name !== chart.x) : known;
  return (
    <fieldset className="query-form__group">
      <legend className="field__label">{t("query.chart")}</legend>
      <Field id={`${id}-kind`} label={t("query.chartKind")}>
        {(control) => (
          <Select
            {...control}
            value={chart.kind}
            onChange={({ target }) =>
              put({ kind: chartKinds.find((kind) => kind === target.value) ?? "table" })
            }
          >
            {chartKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`kinds.${kind}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isPlotted && <Along id={id} chart={chart} known={known} change={put} />}
      {chart.kind !== "table" && <Values id={id} chart={chart} known={values} change={put} />}
      {columns === undefined && <p className="work-quiet">{t("query.chartColumns")}</p>}
    </fieldset>
  );
}

/** Runs a query, and ends it in the engine when it is not waited for any more. */
function useRun() {
  const running = useRef<string>(undefined);
  const stop = (): void => {
    const queryId = running.current;
    if (queryId === undefined) return;
    void accountApi()
      .call("DELETE /api/console/analyst/queries/:queryId", { params: { queryId } })
      .catch(() => undefined);
  };
  useEffect(() => stop, []);
  const run = useMutation({
    mutationFn: ({ text, parameters }: QueryContent): Promise<QueryRun> => {
      const queryId = crypto.randomUUID();
      running.current = queryId;
      const values = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
      const body = { queryId, text, parameters: sentParameters(namedIn(text), values) };
      return queryAnswer(accountApi().call("POST /api/console/analyst/queries", { body })).finally(
        () => {
          running.current = undefined;
        },
      );
    },
  });
  return { run, stop };
}

/** What the query answered, drawn by its chart. */
function Ran({ result, content }: { result: QueryRun; content: QueryContent }) {
  const { t } = useTranslation("analyst-work");
  const { number } = useWorkTexts();
  const { milliseconds } = result.statistics;
  const count = result.rows.length;
  return (
    <section className="query-form__result" aria-label={t("query.result")}>
      <p className="work-quiet">
        {t("query.ran", {
          shown: t("query.rows", { count, shown: number(count) }),
          milliseconds: number(milliseconds),
        })}
      </p>
      <Suspense fallback={<Skeleton shape="block" count={1} />}>
        <TileResult title={t("query.result")} result={result} chart={content.chart} />
      </Suspense>
    </section>
  );
}

/** A query with its parameters and its chart, to be written and run. */
export function QueryForm({ content, onChange }: FormProps) {
  const { t } = useTranslation("analyst-work");
  const refusal = useRefusalText();
  const id = useId();
  const { run, stop } = useRun();
  const onText = (text: string): void => {
    const days = daysOfRange(initialRange, todayIn("UTC"));
    onChange({ ...content, text, parameters: parametersIn(text, content.parameters, days) });
  };
  return (
    <div className="query-form">
      <Field id={`${id}-text`} label={t("query.text")} hint={t("query.textHint")}>
        {(control) => (
          <textarea
            {...control}
            className={`${control.className} query-form__text`}
            dir="ltr"
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            maxLength={limit.textCharsMax}
            rows={Math.min(24, Math.max(8, content.text.split("\n").length + 1))}
            value={content.text}
            onChange={({ target }) => onText(target.value)}
          />
        )}
      </Field>
      <Parameters content={content} onChange={onChange} />
      <ChartFields
        content={content}
        onChange={onChange}
        columns={run.data?.columns.map(({ name }) => name)}
      />
      <div className="work-acts">
        <Button disabled={content.text.trim() === ""} onClick={() => run.mutate(content)}>
          {t("query.run")}
        </Button>
        {run.isPending && <Button onClick={stop}>{t("query.stop")}</Button>}
        <output className="work-quiet">{run.isPending && t("query.running")}</output>
      </div>
      <Notice kind="error">{run.isError && refusal(codeOf(run.error))}</Notice>
      {run.data !== undefined && <Ran result={run.data} content={content} />}
    </div>
  );
}
