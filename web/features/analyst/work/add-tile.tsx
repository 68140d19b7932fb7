import { analystLimits as limit } from "@pro-talent/schemas/analysts/limits";
import type { QuestionName, questionKinds } from "@pro-talent/schemas/analysts/questions";
import { type SubmitEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { Choice } from "../../../ui/choice/choice.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { Select } from "../../../ui/field/select.tsx";
import { textIn } from "../../form-machine.ts";
import type { Summary, Tile } from "./work-queries.ts";

/** By the form of their answer; the contract itself does not reach the browser. */
const kindsOfQuestions = {
  channels: "groups",
  campaigns: "groups",
  "reading-paths": "groups",
  "entry-pages": "groups",
  "exit-pages": "groups",
  "consent-decisions": "groups",
  "link-opens": "groups",
  "newsletter-growth": "groups",
  funnel: "steps",
  retention: "cohorts",
} as const satisfies typeof questionKinds;
type QuestionSource = Extract<Tile["source"], { kind: "question" }>;
const isQuestion = (text: string): text is QuestionName => Object.hasOwn(kindsOfQuestions, text);
const questions = Object.keys(kindsOfQuestions).filter(isQuestion);

/** How an answer of each form can be drawn; the first is the usual one. */
const chartsOf = {
  groups: ["bar", "table", "figure"],
  steps: ["bar", "table"],
  cohorts: ["table"],
} as const satisfies Readonly<Record<string, readonly QuestionSource["chart"][]>>;

const widths = [1, 2, 3] as const;

/** Which question, and how its answer is drawn. */
function QuestionFields({ id }: { id: string }) {
  const { t } = useTranslation("analyst-work");
  const [question, setQuestion] = useState<QuestionName>("channels");
  return (
    <div className="work-fields">
      <Field id={`${id}-asked`} label={t("add.question")}>
        {(control) => (
          <Select
            {...control}
            name="question"
            value={question}
            onChange={({ target }) => isQuestion(target.value) && setQuestion(target.value)}
          >
            {questions.map((name) => (
              <option key={name} value={name}>
                {t(`questions.${name}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field id={`${id}-chart`} label={t("add.chart")}>
        {(control) => (
          <Select {...control} key={question} name="chart">
            {chartsOf[kindsOfQuestions[question]].map((kind) => (
              <option key={kind} value={kind}>
                {t(`kinds.${kind}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

/** What the form asks for; undefined while no query is chosen. */
function tileIn(data: FormData): Tile | undefined {
  const width = widths.find((one) => one === Number(textIn(data, "width"))) ?? 1;
  const tile = { tileId: crypto.randomUUID(), title: textIn(data, "title").trim(), width };
  const question = textIn(data, "question");
  if (isQuestion(question)) {
    const drawn: readonly QuestionSource["chart"][] = chartsOf[kindsOfQuestions[question]];
    const chart = drawn.find((kind) => kind === textIn(data, "chart")) ?? "table";
    return { ...tile, source: { kind: "question", question, chart } };
  }
  const queryId = textIn(data, "query");
  return queryId === "" ? undefined : { ...tile, source: { kind: "query", queryId } };
}

type Kind = Tile["source"]["kind"];
type SourceKindProps = { id: string; kind: Kind; onKind: (kind: Kind) => void };

function SourceKind({ id, kind, onKind }: SourceKindProps) {
  const { t } = useTranslation("analyst-work");
  return (
    <fieldset className="work-choices">
      <legend className="field__label">{t("add.source")}</legend>
      {(["query", "question"] as const).map((one) => (
        <Choice
          key={one}
          type="radio"
          id={`${id}-${one}`}
          name="kind"
          value={one}
          label={t(`add.${one}`)}
          checked={kind === one}
          onChange={() => onKind(one)}
        />
      ))}
    </fieldset>
  );
}

type SavedFieldProps = { id: string; queries: readonly Summary[]; missing: boolean };

function SavedField({ id, queries, missing }: SavedFieldProps) {
  const { t } = useTranslation("analyst-work");
  return (
    <Field
      id={`${id}-saved`}
      label={t("add.query")}
      error={missing ? t("add.queryRequired") : undefined}
    >
      {(control) => (
        <Select {...control} name="query" defaultValue="" aria-required>
          <option value="">{t("plan.choose")}</option>
          {queries.map(({ workId, title }) => (
            <option key={workId} value={workId}>
              {title}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** How wide the tile is, and how it is called. */
function Look({ id }: { id: string }) {
  const { t } = useTranslation("analyst-work");
  return (
    <div className="work-fields">
      <Field id={`${id}-width`} label={t("add.width")}>
        {(control) => (
          <Select {...control} name="width" defaultValue="1">
            {widths.map((width) => (
              <option key={width} value={width}>
                {t(`tile.widths.${width}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field id={`${id}-title`} label={t("add.name")}>
        {(control) => (
          <input
            {...control}
            name="title"
            dir="auto"
            autoComplete="off"
            maxLength={limit.titleCharsMax}
          />
        )}
      </Field>
    </div>
  );
}

type AddTileProps = {
  queries: readonly Summary[];
  busy: boolean;
  /** Why it was not added. */
  fault: string | undefined;
  onAdd: (tile: Tile) => void;
  onClose: () => void;
};

/** Adds a saved chart or a ready-made question to a dashboard. */
export function AddTile({ queries, busy, fault, onAdd, onClose }: AddTileProps) {
  const { t } = useTranslation("analyst-work");
  const id = useId();
  const [kind, setKind] = useState<Kind>(queries.length > 0 ? "query" : "question");
  const [missing, setMissing] = useState(false);
  const send = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const tile = tileIn(new FormData(event.currentTarget));
    setMissing(tile === undefined);
    if (tile === undefined) event.currentTarget.querySelector("select")?.focus();
    else onAdd(tile);
  };
  return (
    <Dialog title={t("add.title")} closeLabel={t("close")} onClose={onClose}>
      <form className="work-form" noValidate onSubmit={send}>
        <p className="work-quiet">{t("add.lead")}</p>
        <SourceKind id={id} kind={kind} onKind={setKind} />
        {kind === "question" && <QuestionFields id={id} />}
        {kind === "query" && queries.length === 0 && <p>{t("add.noQueries")}</p>}
        {kind === "query" && queries.length > 0 && (
          <SavedField id={id} queries={queries} missing={missing} />
        )}
        <Look id={id} />
        <div role="alert" className="field__error">
          {fault}
        </div>
        <div className="work-acts">
          <Button
            type="submit"
            variant="solid"
            disabled={busy || (kind === "query" && queries.length === 0)}
          >
            {t("add.save")}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
