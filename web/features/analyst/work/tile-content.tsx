import { useTranslation } from "react-i18next";

import { isPartlyWithheld, QuestionAnswerView } from "./question-answer.tsx";
import { TileResult } from "./tile-result.tsx";
import type { TileAnswer } from "./work-queries.ts";

/** Why groups are missing, and numbers of saved queries are not exact. */
function withheldOf(answer: TileAnswer) {
  if (answer.kind === "question") return isPartlyWithheld(answer.answer) ? "withheld" : undefined;
  if (!answer.result.isWithheld) return "rounded";
  return answer.result.rows.length === 0 ? "nothingNamed" : "withheldRounded";
}

type ContentProps = { title: string; answer: TileAnswer };

/** What a tile shows once it is there, and what is withheld in it. */
export function TileContent({ title, answer }: ContentProps) {
  const { t } = useTranslation("analyst-work");
  const withheld = withheldOf(answer);
  return (
    <>
      {withheld !== "nothingNamed" &&
        (answer.kind === "question" ? (
          <QuestionAnswerView title={title} answer={answer.answer} chart={answer.chart} />
        ) : (
          <TileResult title={title} result={answer.result} chart={answer.chart} />
        ))}
      {withheld !== undefined && <p className="tile__withheld">{t(`tile.${withheld}`)}</p>}
    </>
  );
}
