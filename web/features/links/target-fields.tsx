import { linkLimits as limit } from "@pro-talent/schemas/links/limits";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Choice } from "../../ui/choice/choice.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { cvsQuery } from "../cvs-query.ts";
import { linksQuery } from "../link-opens.ts";
import type { FieldState } from "../submission-form.tsx";
import { type CvTarget, CvTargetFields } from "./cv-target-fields.tsx";
import type { ShareLink } from "./link-queries.ts";
import { type TargetKind, targets } from "./link-writing.ts";

/** The newest link of each file that is stored. */
function storedFiles(links: readonly ShareLink[]): { linkId: string; name: string }[] {
  const files = new Map<string, { linkId: string; name: string }>();
  for (const { linkId, file } of links)
    if (file !== null && !files.has(file.fileId))
      files.set(file.fileId, { linkId, name: file.name });
  return [...files.values()];
}

function StoredFileField({
  field,
  files,
}: {
  field: FieldState;
  files: ReturnType<typeof storedFiles>;
}) {
  const { t } = useTranslation("links");
  return (
    <Field {...field("fileOf")} label={t("fields.targets.file-of")}>
      {(control) => (
        <Select {...control} name="fileOf" dir="auto">
          {files.map(({ linkId, name }) => (
            <option key={linkId} value={linkId}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function UrlField({ field }: { field: FieldState }) {
  const { t } = useTranslation("links");
  return (
    <Field {...field("url")} label={t("fields.url")} hint={t("fields.urlHint")}>
      {(control) => (
        <input
          {...control}
          name="url"
          dir="ltr"
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limit.urlCharsMax}
        />
      )}
    </Field>
  );
}

type TargetFieldsProps = {
  field: FieldState;
  /** The link that is changed. */
  link?: ShareLink;
  /** The CV that is shared. */
  cv?: CvTarget | undefined;
};

/**
 * What a link opens; of a `link` that exists, what it opens now is kept unless another is chosen. A
 * file can be chosen, or dropped on the field: browsers take it as chosen.
 */
export function TargetFields({ field, link, cv }: TargetFieldsProps) {
  const { t } = useTranslation("links");
  const first = cv === undefined ? "file" : "cv";
  const [kind, setKind] = useState<TargetKind>(link === undefined ? first : "kept");
  const files = storedFiles(useQuery(linksQuery).data?.links ?? []);
  const cvs = useQuery(cvsQuery).data?.cvs.filter(({ archivedAt }) => archivedAt === null) ?? [];
  const isOffered: Partial<Record<TargetKind, boolean>> = {
    kept: link !== undefined,
    "file-of": files.length > 0,
    cv: cv !== undefined || cvs.length > 0,
  };
  const offered = targets.filter((one) => isOffered[one] !== false);
  return (
    <>
      <fieldset className="links__choices">
        <legend className="field__label">{t("fields.target")}</legend>
        {offered.map((one) => (
          <Choice
            key={one}
            type="radio"
            id={`target-${one}`}
            name="target"
            value={one}
            label={t(`fields.targets.${one}`)}
            checked={one === kind}
            onChange={() => setKind(one)}
          />
        ))}
      </fieldset>
      {kind === "cv" && <CvTargetFields field={field} cvs={cvs} chosen={cv} />}
      {kind === "file" && (
        <Field {...field("file")} label={t("fields.file")} hint={t("fields.fileHint")}>
          {({ className, ...control }) => (
            <input
              {...control}
              className={`${className} links__drop`}
              name="file"
              type="file"
              accept=".pdf,.docx,application/pdf,application/vnd.openxmlformats-officedocument.wordprocessingml.document"
            />
          )}
        </Field>
      )}
      {kind === "file-of" && <StoredFileField field={field} files={files} />}
      {kind === "external" && <UrlField field={field} />}
    </>
  );
}
