import { useTranslation } from "react-i18next";

import { lineDifference } from "./line-difference.ts";

type DifferenceProps = {
  /** Names the two texts. */
  label: string;
  earlier: string;
  later: string;
};

const marks = { kept: " ", removed: "−", added: "+" } as const;

/** A region that scrolls has to be reached by the keyboard. */
const scrollRegion = { role: "region", tabIndex: 0 } as const;

/** Two texts laid over each other, line by line; code goes from left to right in every language. */
export function Difference({ label, earlier, later }: DifferenceProps) {
  const { t } = useTranslation("analyst-work");
  const lines = lineDifference(earlier, later).map((line, at) => ({ ...line, at }));
  const count = (kind: "added" | "removed"): number =>
    lines.filter((line) => line.kind === kind).length;
  const changed = (["removed", "added"] as const).filter((kind) => count(kind) > 0);
  return (
    <div className="difference">
      <p className="work-quiet">
        {changed.length === 0
          ? t("versions.same")
          : changed.map((kind) => t(`versions.${kind}`, { count: count(kind) })).join(" · ")}
      </p>
      <div className="difference__lines" dir="ltr" aria-label={label} {...scrollRegion}>
        {lines.map(({ kind, text, at }) => (
          <div key={at} className="difference__line" data-kind={kind}>
            <span className="difference__mark" aria-hidden="true">
              {marks[kind]}
            </span>
            {kind !== "kept" && (
              <span className="visually-hidden">{t(`versions.line.${kind}`)} </span>
            )}
            <code>{text}</code>
          </div>
        ))}
      </div>
    </div>
  );
}
