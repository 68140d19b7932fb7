import type { Conflict } from "@pro-talent/schemas/studio/merge";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { changed, type EditedDocument, type Json, valueAt } from "../edit/document-at.ts";
import { useEditing } from "../edit/editing.ts";
import type { Edit } from "../edit/edits.ts";
import { usePathWords } from "../edit/path-words.ts";

const isRecord = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Everything that is written in a value, as one text. */
function textIn(value: Json): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    const runs = value.every((one) => isRecord(one) && "bold" in one);
    return value
      .map(textIn)
      .filter(Boolean)
      .join(runs ? "" : ", ");
  }
  if (!isRecord(value)) return "";
  const shown = Object.entries(value).filter(
    ([key, inner]) => !["id", "kind", "link"].includes(key) && typeof inner !== "boolean",
  );
  return shown
    .map(([, inner]) => textIn(inner))
    .filter(Boolean)
    .join(", ");
}

/** Takes over what the other side had. */
const takeTheirs =
  ({ path, theirs }: Conflict): Edit =>
  (document) =>
    changed(document, path, () => theirs ?? undefined);

type ConflictsProps = {
  conflicts: readonly Conflict[];
  document: EditedDocument & Json;
  onSettle: (path: string) => void;
};

/** Fields that were changed here and elsewhere at the same time, side by side. */
export function Conflicts({ conflicts, document, onSettle }: ConflictsProps) {
  const { t } = useTranslation("cv");
  const { edit } = useEditing();
  const words = usePathWords(document);
  return (
    <section className="cv-conflicts" aria-labelledby="cv-conflicts">
      <h2 id="cv-conflicts">{t("conflict.title", { count: conflicts.length })}</h2>
      <p>{t("conflict.body")}</p>
      <ul>
        {conflicts.map((conflict) => {
          const field = words(conflict.path);
          const mine = textIn(valueAt(document, conflict.path) ?? null);
          return (
            <li key={conflict.path} className="cv-conflicts__field">
              <h3>
                <bdi>{field}</bdi>
              </h3>
              <dl>
                <div>
                  <dt>{t("conflict.mine")}</dt>
                  <dd dir="auto">{mine || t("conflict.removed")}</dd>
                </div>
                <div>
                  <dt>{t("conflict.theirs")}</dt>
                  <dd dir="auto">{textIn(conflict.theirs) || t("conflict.removed")}</dd>
                </div>
              </dl>
              <div className="cv-actions">
                <Button onClick={() => onSettle(conflict.path)}>
                  {t("conflict.keepMine")} <span className="visually-hidden">{field}</span>
                </Button>
                <Button
                  onClick={() => {
                    edit(takeTheirs(conflict));
                    onSettle(conflict.path);
                  }}
                >
                  {t("conflict.useTheirs")} <span className="visually-hidden">{field}</span>
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
