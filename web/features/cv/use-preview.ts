import { useEffect, useRef, useState } from "react";

import { CallFailure } from "../../api-client/query-answer.ts";
import { type CvDocument, drawnPages, type Preview } from "./cv-queries.ts";

const retryMs = 3_000;

export type PreviewTrouble = "offline" | "not-drawn";

/**
 * The pages of a document as it is typed. One request is on its way at a time, and the next is about the latest
 * document, so that no earlier page follows a later one; what was shown stays meanwhile.
 */
export function usePreview(document: CvDocument) {
  const [shown, setShown] = useState<Preview>();
  const [trouble, setTrouble] = useState<PreviewTrouble>();
  const latest = useRef(document);
  const ask = useRef<() => void>(undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let busy = false;
    let asked: CvDocument | undefined;
    let closed = false;
    const isClosed = (): boolean => closed;
    let refused: CvDocument | undefined;
    const draw = async (): Promise<void> => {
      if (busy || isClosed() || asked === latest.current) return;
      busy = true;
      const current = latest.current;
      const failed = await drawnPages(current).then(
        (preview) => {
          if (!isClosed()) setShown(preview);
          return undefined;
        },
        (error: unknown) => error,
      );
      busy = false;
      if (isClosed()) return;
      if (failed === undefined) {
        asked = current;
        setTrouble(undefined);
        void draw();
        return;
      }
      const isRefused = failed instanceof CallFailure && failed.status < 500;
      // A busy service also says that a page takes too long, so the same document is tried twice.
      if (isRefused && refused === current) asked = current;
      if (isRefused) refused = current;
      setTrouble(isRefused ? "not-drawn" : "offline");
      later(retryMs);
    };
    const later = (ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void draw(), ms);
    };
    // At once: what is typed while a page is drawn is the next one, however many keys it was.
    ask.current = () => later(0);
    void draw();
    return () => {
      closed = true;
      clearTimeout(timer);
    };
  }, []);
  useEffect(() => {
    latest.current = document;
    ask.current?.();
  }, [document]);
  return { shown, trouble };
}
