import type { Section } from "@pro-talent/schemas/studio/document";
import { useTranslation } from "react-i18next";

/** The title that a section was given, or the usual one. */
export function useSectionTitle() {
  const { t } = useTranslation("cv");
  return ({ kind, title }: Pick<Section, "kind" | "title">): string => title || t(`kinds.${kind}`);
}
