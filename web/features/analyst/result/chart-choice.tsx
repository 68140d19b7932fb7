import { useId } from "react";
import { useTranslation } from "react-i18next";

import { Choice } from "../../../ui/choice/choice.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { Select } from "../../../ui/field/select.tsx";
import {
  chartKinds as kinds,
  linesMax,
  type ResultChart,
  sidesOf,
  suggestedChart,
} from "./chart-of.ts";
import type { ShownResult } from "./result-source.ts";

export type ChartChoiceProps = {
  result: ShownResult;
  chart: ResultChart;
  onChange: (chart: ResultChart) => void;
};

type SideProps = {
  label: string;
  value: string;
  options: readonly string[];
  onChange: (name: string) => void;
};

function Side({ label, value, options, onChange }: SideProps) {
  return (
    <Field id={useId()} label={label}>
      {(control) => (
        <Select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          {options.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      )}
    </Field>
  );
}

type ValuesProps = Pick<ChartChoiceProps, "chart" | "onChange"> & { numbers: readonly string[] };

/** Which columns are drawn: at least one, and the latest ones where there are too many. */
function Values({ chart, numbers, onChange }: ValuesProps) {
  const { t } = useTranslation("analyst");
  const id = useId();
  const toggle = (name: string): void => {
    const others = chart.y.filter((one) => one !== name);
    const y = others.length < chart.y.length ? others : [...others, name].slice(-linesMax);
    if (y.length > 0) onChange({ ...chart, y });
  };
  return (
    <fieldset className="result-panel__kinds">
      <legend className="field__label">{t("result.y")}</legend>
      {numbers.map((name) => (
        <Choice
          key={name}
          type="checkbox"
          id={`${id}-${name}`}
          name={id}
          value={name}
          label={name}
          checked={chart.y.includes(name)}
          onChange={() => toggle(name)}
        />
      ))}
    </fieldset>
  );
}

/** How the result is shown; only what its columns allow can be chosen. */
export function ChartChoice({ result: { columns, count }, chart, onChange }: ChartChoiceProps) {
  const { t } = useTranslation("analyst");
  const id = useId();
  const { times, words, numbers } = sidesOf(columns);
  const suggested = suggestedChart(columns, count);
  const sides = { table: [], figure: [], line: times, bar: words } as const;
  const possible = kinds.filter(
    (kind) =>
      kind === "table" || (numbers.length > 0 && (kind === "figure" || sides[kind].length > 0)),
  );
  const choose = (kind: ResultChart["kind"]): void =>
    onChange(
      kind === suggested.kind
        ? suggested
        : { kind, x: sides[kind][0] ?? null, y: kind === "table" ? [] : numbers.slice(0, 1) },
    );
  return (
    <div className="result-panel__choice">
      <fieldset className="result-panel__kinds">
        <legend className="field__label">{t("result.show")}</legend>
        {possible.map((kind) => (
          <Choice
            key={kind}
            type="radio"
            id={`${id}-${kind}`}
            name={id}
            value={kind}
            label={t(`result.kinds.${kind}`)}
            checked={kind === chart.kind}
            onChange={() => choose(kind)}
          />
        ))}
      </fieldset>
      {chart.x !== null && (
        <Side
          label={t(chart.kind === "line" ? "result.xTime" : "result.x")}
          value={chart.x}
          options={sides[chart.kind]}
          onChange={(x) => onChange({ ...chart, x })}
        />
      )}
      {chart.kind === "bar" && (
        <Side
          label={t("result.y")}
          value={chart.y[0] ?? ""}
          options={numbers}
          onChange={(y) => onChange({ ...chart, y: [y] })}
        />
      )}
      {(chart.kind === "line" || chart.kind === "figure") && numbers.length > 1 && (
        <Values chart={chart} numbers={numbers} onChange={onChange} />
      )}
    </div>
  );
}
