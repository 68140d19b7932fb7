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

/** So many fields are listed at once; more of them when asked for. */
const fewFields = 3;

type FieldsProps = { fields: readonly FieldReading[]; title: string; document: CvDocument };

function Fields({ fields, title, document }: FieldsProps) {
  const { t } = useTranslation("cv");
  const words = usePathWords(document);
  const isOpen = fields.length <= fewFields && fields.some(({ found }) => found !== "whole");
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      <ul>
        {fields.map(({ path, found, text }) => (
          <li key={path} className="cv-read" data-found={found}>
            <strong>
              <bdi>{words(path)}</bdi>
            </strong>
            <span>
              {t(`check.found.${found}`)} <bdi>{text}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function ReadingPart({ reading, document }: { reading: Reading; document: CvDocument }) {
  const { t } = useTranslation("cv");
  const language = useLanguage();
  const percent = new Intl.NumberFormat(language, {
    style: "percent",
    maximumFractionDigits: 0,
    roundingMode: "floor",
  });
  const { file, reader, fields } = reading;
  const whole = fields.filter(({ found }) => found === "whole");
  const troubled = fields.filter(({ found }) => found !== "whole");
  const advised = Map.groupBy(troubled, ({ advice }) => advice);
  return (
    <li className="cv-reading" data-whole={troubled.length === 0}>
      <h3>
        <bdi>
          {t(`formats.${file}.name`)}, {reader}
        </bdi>
      </h3>
      <p>
        {t("check.summary", {
          whole: whole.length,
          count: fields.length,
          words: percent.format(reading.words),
          order: percent.format(reading.order),
        })}
      </p>
      {Array.from(advised, ([advice, of]) => (
        <div key={advice} className="cv-advice">
          {advice !== null && <p>{t(`check.advice.${advice}`)}</p>}
          <Fields
            fields={of}
            title={t("check.concerned", { count: of.length })}
            document={document}
          />
        </div>
      ))}
      {whole.length > 0 && (
        <Fields
          fields={whole}
          title={t("check.all", { count: whole.length })}
          document={document}
        />
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
