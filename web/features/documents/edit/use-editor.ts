import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";

import { AdviceStore } from "./advice-store.ts";
import { type Finding, findingsIn } from "./checks.ts";
import type { EditedDocument } from "./document-at.ts";
import type { Editing } from "./editing.ts";

/** Findings of the document as texts at its fields. @param find stays the same */
export function useAdvice<Document extends EditedDocument>(
  document: Document,
  find: (document: Document) => Finding[] = findingsIn,
) {
  const { t } = useTranslation("cv-checks");
  const advice = useMemo(() => new AdviceStore(), []);
  const findings = useMemo(() => find(document), [document, find]);
  useEffect(() => {
    advice.set(new Map(findings.map(({ path, code }) => [path, t(`at.${code}`)])));
  }, [advice, findings, t]);
  return { advice, findings };
}

type Given = Pick<Editing, "edit" | "language" | "advice"> & Partial<Pick<Editing, "below">>;

/** What the fields are given; it stays the same while the document is edited. */
export function useEditor({ edit, language, advice, below }: Given) {
  const live = useRef<HTMLOutputElement>(null);
  const editing = useMemo<Editing>(
    () => ({
      edit,
      announce: (text) => {
        if (live.current !== null) live.current.textContent = text;
      },
      language,
      advice,
      ...(below === undefined ? {} : { below }),
    }),
    [edit, advice, language, below],
  );
  return { editing, live };
}
