import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { useAccount } from "../account-query.ts";
import { type CvSummary, type CvVersion, versionsQuery } from "../cvs-query.ts";
import type { FieldState } from "../submission-form.tsx";

/** A CV that a link is to open; `version` null: always the current one. */
export type CvTarget = Pick<CvSummary, "cvId" | "title"> & { version: number | null };

function useVersionText() {
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const time = new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone,
  });
  return ({ name, savedAt }: CvVersion): string => {
    const at = time.format(new Date(savedAt));
    return name === null ? at : `${name} (${at})`;
  };
}

type CvTargetFieldsProps = {
  field: FieldState;
  cvs: readonly Pick<CvSummary, "cvId" | "title">[];
  chosen: CvTarget | undefined;
};

/** Which CV a link opens, and which version of it. */
export function CvTargetFields({ field, cvs, chosen }: CvTargetFieldsProps) {
  const { t } = useTranslation("links");
  const [cvId, setCvId] = useState(chosen?.cvId ?? cvs[0]?.cvId ?? "");
  const [version, setVersion] = useState(String(chosen?.version ?? ""));
  const versions = useQuery({ ...versionsQuery(cvId), enabled: cvId !== "" });
  const textOf = useVersionText();
  const all = chosen === undefined || cvs.some((cv) => cv.cvId === chosen.cvId) ? cvs : [chosen];
  const choose = (next: string): void => {
    setCvId(next);
    setVersion("");
  };
  return (
    <>
      <Field {...field("cvId")} label={t("fields.cv")}>
        {(control) => (
          <Select
            {...control}
            name="cvId"
            value={cvId}
            onChange={({ target }) => choose(target.value)}
          >
            {all.map(({ cvId: id, title }) => (
              <option key={id} value={id} dir="auto">
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        {...field("cvVersion")}
        label={t("fields.cvVersion")}
        hint={t(versions.isError ? "fields.cvVersionsFailed" : "fields.cvVersionHint")}
      >
        {(control) => (
          <Select
            {...control}
            name="cvVersion"
            value={version}
            onChange={({ target }) => setVersion(target.value)}
          >
            <option value="">{t("fields.cvCurrent")}</option>
            {versions.data?.versions.map((one) => (
              <option key={one.version} value={one.version}>
                {textOf(one)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  );
}
