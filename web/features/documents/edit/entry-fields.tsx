import { cvLimits } from "@pro-talent/schemas/studio/limits";
import type { Run } from "@pro-talent/schemas/studio/runs";
import { useTranslation } from "react-i18next";

import { Bullets } from "./bullets.tsx";
import { idOf, useEditing } from "./editing.ts";
import type { Kind } from "./edits.ts";
import { put } from "./edits.ts";
import { Advice, ItemsField, LineField, useDescription } from "./line-field.tsx";
import { MonthField } from "./month-field.tsx";
import { type Entry, lineOf } from "./part-words.ts";
import { RichField } from "./rich-field.tsx";

/** Fields of an entry in the order in which they are filled in. */
export const fieldsOf = {
  summary: ["text"],
  experience: ["role", "organisation", "place", "period", "bullets", "url"],
  volunteering: ["role", "organisation", "place", "period", "bullets", "url"],
  education: ["degree", "field", "institution", "grade", "place", "period", "bullets", "url"],
  projects: ["name", "role", "period", "url", "bullets"],
  skills: ["name", "items"],
  languages: ["name", "fluency"],
  certificates: ["name", "issuer", "date", "url"],
  publications: ["name", "publisher", "date", "url", "summary"],
  custom: ["title", "subtitle", "place", "period", "bullets", "url"],
} as const satisfies Record<Kind, readonly string[]>;
export type FieldName = (typeof fieldsOf)[Kind][number];

const runsOf = (entry: Entry, name: "text" | "summary"): readonly Run[] => {
  if (name === "text") return "text" in entry ? entry.text : [];
  return "summary" in entry ? entry.summary : [];
};

type RichPartProps = { path: string; label: string; runs: readonly Run[] };

/** A paragraph with its label. */
export function RichPart({ path, label, runs }: RichPartProps) {
  const { edit, language } = useEditing();
  const described = useDescription(path);
  const id = idOf(path);
  return (
    <div className="cv-field cv-field--wide">
      <span className="field__label" id={`${id}-label`}>
        {label}
      </span>
      <RichField
        id={id}
        labelledBy={`${id}-label`}
        describedBy={described}
        lang={language}
        runs={runs}
        onChange={(next) => edit(put(path, next))}
      />
      <Advice path={path} />
    </div>
  );
}

type EntryFieldProps = { kind: Kind; entry: Entry; path: string; name: FieldName };

function EntryField({ kind, entry, path, name }: EntryFieldProps) {
  const { t } = useTranslation("cv");
  const at = `${path}/${name}`;
  switch (name) {
    case "period":
      return (
        <div className="cv-period">
          <MonthField
            path={`${path}/start`}
            label={t("fields.start")}
            value={lineOf(entry, "start")}
          />
          <MonthField
            path={`${path}/end`}
            label={t("fields.end")}
            value={lineOf(entry, "end")}
            present={t("fields.present")}
          />
        </div>
      );
    case "date":
      return <MonthField path={at} label={t("fields.date")} value={lineOf(entry, "date")} />;
    case "bullets":
      return "bullets" in entry ? <Bullets path={at} bullets={entry.bullets} /> : null;
    case "text":
      return <RichPart path={at} label={t("fields.summaryText")} runs={runsOf(entry, name)} />;
    case "summary":
      return <RichPart path={at} label={t("fields.summary")} runs={runsOf(entry, name)} />;
    case "items":
      return (
        <ItemsField
          path={at}
          label={t("fields.items")}
          hint={t("fields.itemsHint")}
          items={"items" in entry ? entry.items : []}
        />
      );
    case "url":
      return (
        <LineField
          path={at}
          label={t("fields.url")}
          value={lineOf(entry, name)}
          input={{ dir: "ltr", maxLength: cvLimits.urlCharsMax }}
        />
      );
    case "name":
      return <LineField path={at} label={nameLabel(kind)} value={lineOf(entry, name)} />;
    default:
      return <LineField path={at} label={t(`fields.${name}`)} value={lineOf(entry, name)} />;
  }

  function nameLabel(of: Kind): string {
    if (of === "skills") return t("fields.group");
    return of === "languages" ? t("fields.languageName") : t("fields.name");
  }
}

/** Everything that is stated of one entry. */
export function EntryFields({ kind, entry, path }: Omit<EntryFieldProps, "name">) {
  const { below } = useEditing();
  return (
    <div className="cv-fields">
      {fieldsOf[kind].map((name) => (
        <EntryField key={name} kind={kind} entry={entry} path={path} name={name} />
      ))}
      {below?.({ kind, entry, path })}
    </div>
  );
}
