import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { usePathWords } from "../../documents/edit/path-words.ts";
import { useViewTexts } from "../../view-texts.ts";
import { type Check, checkQuery, type CvDocument, type CvState } from "../cv-queries.ts";

type Reading = Check["readings"][number];
type FieldReading = Reading["fields"][number];

function Field({ field, name }: { field: FieldReading; name: string }) {
  const { t } = useTranslation("cv");
  return (
    <li className="cv-read" data-found={field.found}>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span>
        {t(`check.found.${field.found}`)} <bdi>{field.text}</bdi>
      </span>
      {field.advice !== null && <span>{t(`check.advice.${field.advice}`)}</span>}
    </li>
  );
}

function ReadingPart({ reading, document }: { reading: Reading; document: CvDocument }) {
  const { t } = useTranslation("cv");
  const words = usePathWords(document);
  const language = useLanguage();
  const percent = new Intl.NumberFormat(language, {
    style: "percent",
    maximumFractionDigits: 0,
    roundingMode: "floor",
  });
  const { file, reader, fields } = reading;
  const whole = fields.filter(({ found }) => found === "whole");
  const troubled = fields.filter(({ found }) => found !== "whole");
  return (
    <li className="cv-reading" data-whole={troubled.length === 0}>
      <h3>
        {t(`formats.${file}.name`)}, <bdi>{reader}</bdi>
      </h3>
      <p>
        {t("check.summary", {
          whole: whole.length,
          count: fields.length,
          words: percent.format(reading.words),
          order: percent.format(reading.order),
        })}
      </p>
      {troubled.length > 0 && (
        <ul>
          {troubled.map((field) => (
            <Field key={field.path} field={field} name={words(field.path)} />
          ))}
        </ul>
      )}
      {whole.length > 0 && (
        <details>
          <summary>{t("check.all", { count: whole.length })}</summary>
          <ul>
            {whole.map((field) => (
              <Field key={field.path} field={field} name={words(field.path)} />
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** What programs got when they read the finished files, field by field. */
export function MachineCheck({ cv: { cvId, version, document } }: { cv: CvState }) {
  const { t } = useTranslation("cv");
  const check = useQuery(checkQuery(cvId, version));
  const { texts, describe } = useViewTexts(t("check.loading"));
  return (
    <DataView
      query={check}
      texts={texts}
      skeleton={<Skeleton count={4} />}
      isEmpty={({ readings }) => readings.every(({ fields }) => fields.length === 0)}
      empty={{ title: t("check.empty"), body: t("check.emptyBody") }}
      describe={describe}
      partial={({ charactersWithoutGlyph: without }) =>
        without.length === 0
          ? undefined
          : t("page.withoutGlyph", { count: without.length, characters: without.join(" ") })
      }
    >
      {({ readings }) => (
        <ul className="cv-readings">
          {readings.map((reading) => (
            <ReadingPart
              key={`${reading.file} ${reading.reader}`}
              reading={reading}
              document={document}
            />
          ))}
        </ul>
      )}
    </DataView>
  );
}
