import { laws } from "@pro-talent/schemas/primitives/retention-laws";
import type { RecordedAsset } from "@pro-talent/schemas/privacy/processing-record";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { ReadingTable } from "../../ui/reading-table/reading-table.tsx";

const classes = ["personal", "sealed", "reference"] as const;
const columns = ["asset", "fields", "retention", "eraser", "exporter", "scanner"] as const;

/** How something is done, and by which code, event, asset or law. */
function Handling({ text, detail }: { text: string | undefined; detail?: ReactNode }) {
  const { t } = useTranslation("processing");
  if (text === undefined) return <strong className="processing__missing">{t("missing")}</strong>;
  return (
    <span>
      {text} {detail}
    </span>
  );
}

const codeOf = (detail: string | null): ReactNode =>
  detail !== null && <code dir="ltr">{detail}</code>;

function Fields({ fields }: Pick<RecordedAsset, "fields">) {
  const { t } = useTranslation("processing");
  const byClass = Map.groupBy(fields, (field) => field.class);
  const present = classes.filter((of) => byClass.has(of));
  return (
    <span>
      {present.map((of) => (
        <span className="processing__fields" key={of}>
          {t(`classes.${of}`)}:{" "}
          <code dir="ltr">
            {byClass
              .get(of)
              ?.map(({ name }) => name)
              .join(", ")}
          </code>
        </span>
      ))}
    </span>
  );
}

function Kept({ retention }: Pick<RecordedAsset, "retention">) {
  const { t } = useTranslation("processing");
  const { by, detail } = retention.enforcedBy;
  return (
    <span>
      <Period {...retention} />
      <span className="processing__fields">
        {t(`enforcement.${by}`)} {codeOf(detail)}
      </span>
    </span>
  );
}

function Period({ clock, after }: RecordedAsset["retention"]) {
  const { t } = useTranslation("processing");
  const language = useLanguage();
  const named = t(`clocks.${clock}`);
  if (after === undefined) return t("until", { clock: named });
  const { count, unit } = after;
  const style = { style: "unit", unit, unitDisplay: "long" } as const;
  const period = new Intl.NumberFormat(language, style).format(count);
  return t("after", { clock: named, period });
}

/** What one activity stores of people, and what erases, copies and scans it. */
export function AssetTable({
  activity,
  assets,
}: {
  activity: string;
  assets: readonly RecordedAsset[];
}) {
  const { t } = useTranslation("processing");
  return (
    <ReadingTable
      caption={t("table.caption", { activity })}
      columns={columns.map((id) => ({ id, header: t(`table.${id}`) }))}
      rows={assets.map(({ store, name, fields, retention, eraser, exporter, scanner }) => {
        const law = laws.find((one) => one === eraser?.detail);
        return {
          id: `${store} ${name}`,
          cells: {
            asset: (
              <span>
                {t(`stores.${store}`)} <code dir="ltr">{name}</code>
              </span>
            ),
            fields: <Fields fields={fields} />,
            retention: <Kept retention={retention} />,
            eraser: (
              <Handling
                text={eraser === null ? undefined : t(`eraser.${eraser.by}`)}
                detail={law === undefined ? codeOf(eraser?.detail ?? null) : t(`laws.${law}`)}
              />
            ),
            exporter: (
              <Handling
                text={exporter === null ? undefined : t(`exporter.${exporter.by}`)}
                detail={codeOf(exporter?.detail ?? null)}
              />
            ),
            scanner: (
              <Handling
                text={scanner === null ? undefined : t(`scanner.${scanner.by}`)}
                detail={codeOf(scanner?.detail ?? null)}
              />
            ),
          },
        };
      })}
    />
  );
}
