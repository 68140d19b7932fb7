import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import type { Stage } from "./queries.ts";
import {
  isFiltered,
  type TrackerSearch,
  type View,
  views,
  withoutFilters,
  withValues,
} from "./search.ts";
import { useTrackerTexts } from "./tracker-texts.ts";

/** Changes values of the address, without a step in the history. */
export function useSearchValues() {
  const [search, setSearch] = useSearchParams();
  const options = { replace: true, preventScrollReset: true };
  return {
    search,
    set: (values: Readonly<Record<string, string>>): void =>
      setSearch(withValues(search, values), options),
    clear: (): void => setSearch(withoutFilters(search), options),
  };
}

/** Board, table, calendar and statistics as links, each with an address of its own. */
export function ViewSwitch({ view, onPrepare }: { view: View; onPrepare: (view: View) => void }) {
  const { t } = useTranslation("applications");
  const [search] = useSearchParams();
  return (
    <nav aria-label={t("views.label")}>
      <ul className="tracker__views">
        {views.map((one) => {
          const next = withValues(search, { view: one === "board" ? "" : one }).toString();
          return (
            <li key={one}>
              <Link
                to={next === "" ? "/applications" : `/applications?${next}`}
                aria-current={one === view ? "page" : undefined}
                preventScrollReset
                onPointerEnter={() => onPrepare(one)}
                onFocus={() => onPrepare(one)}
              >
                {t(`views.${one}`)}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function TextFilter({ text, onText }: { text: string; onText: (text: string) => void }) {
  const { t } = useTranslation("applications");
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // The browser holds what is typed, since the address follows later; it is cleared from elsewhere.
  useEffect(() => {
    const field = input.current;
    if (field !== null && field !== document.activeElement) field.value = text;
  }, [text]);
  return (
    <Field id={id} label={t("filters.text")}>
      {(control) => (
        <input
          {...control}
          ref={input}
          type="search"
          dir="auto"
          defaultValue={text}
          onChange={({ target }) => onText(target.value)}
        />
      )}
    </Field>
  );
}

type ChoiceProps = {
  label: string;
  all: string;
  value: string;
  options: readonly { id: string; text: string }[];
  onChoose: (id: string) => void;
};

function ChoiceFilter({ label, all, value, options, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <Field id={id} label={label}>
      {(control) => (
        <Select {...control} value={value} onChange={({ target }) => onChoose(target.value)}>
          <option value="">{all}</option>
          {options.map((option) => (
            <option key={option.id} value={option.id}>
              {option.text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

type FiltersProps = {
  search: TrackerSearch;
  stages: readonly Stage[];
  sources: readonly string[];
  shown: number;
};

/** Which applications are shown, in the address. */
export function Filters({ search, stages, sources, shown }: FiltersProps) {
  const { t } = useTranslation("applications");
  const { stage: nameOf } = useTrackerTexts();
  const { set, clear } = useSearchValues();
  const { view, text, stage, source, waiting, archived } = search;
  const toggle = (name: "waiting" | "archived", on: boolean) => (
    <Button aria-pressed={on} onClick={() => set({ [name]: on ? "" : "1" })}>
      {t(`filters.${name}`)}
    </Button>
  );
  return (
    <search className="tracker__filters">
      <TextFilter text={text} onText={(q) => set({ q })} />
      {/* On the board stages are seen. */}
      {view !== "board" && (
        <ChoiceFilter
          label={t("fields.stage")}
          all={t("filters.anyStage")}
          value={stage}
          options={stages.map((one) => ({ id: one.stageId, text: nameOf(one) }))}
          onChoose={(id) => set({ stage: id })}
        />
      )}
      {sources.length > 0 && (
        <ChoiceFilter
          label={t("fields.source")}
          all={t("filters.anySource")}
          value={source}
          options={sources.map((one) => ({ id: one, text: one }))}
          onChoose={(id) => set({ source: id })}
        />
      )}
      <div className="tracker__toggles">
        {toggle("waiting", waiting)}
        {toggle("archived", archived)}
        {isFiltered(search) && (
          <Button variant="text" onClick={clear}>
            {t("filters.clear")}
          </Button>
        )}
      </div>
      <output className="visually-hidden">
        {isFiltered(search) ? t("count", { count: shown }) : ""}
      </output>
    </search>
  );
}
