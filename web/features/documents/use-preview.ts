import { useEffect, useRef, useState } from "react";

import { CallFailure } from "../../api-client/query-answer.ts";

/** Short enough that a page follows a key within 150 ms, long enough that two keys at once are one page. */
const pauseMs = 40;
const retryMs = 3_000;

export type PreviewTrouble = "offline" | "not-drawn";

/**
 * The pages of a document as it is typed. One request is on its way at a time, and the next is about the latest
 * document, so that no earlier page follows a later one; what was shown stays meanwhile.
 * @param draw stays the same; throws a CallFailure when it is refused
 */
export function usePreview<Document, Preview>(
  document: Document,
  draw: (document: Document) => Promise<Preview>,
) {
  const [shown, setShown] = useState<Preview>();
  const [trouble, setTrouble] = useState<PreviewTrouble>();
  const latest = useRef(document);
  const ask = useRef<() => void>(undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let busy = false;
    let asked: Document | undefined;
    let closed = false;
    const isClosed = (): boolean => closed;
    let refused: Document | undefined;
    const drawNext = async (): Promise<void> => {
      if (busy || isClosed() || asked === latest.current) return;
      busy = true;
      const current = latest.current;
      const failed = await draw(current).then(
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
        void drawNext();
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
      timer = setTimeout(() => void drawNext(), ms);
    };
    ask.current = () => later(pauseMs);
    void drawNext();
    return () => {
      closed = true;
      clearTimeout(timer);
    };
  }, [draw]);
  useEffect(() => {
    latest.current = document;
    ask.current?.();
  }, [document]);
  return { shown, trouble };
}
