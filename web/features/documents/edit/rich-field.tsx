import { cleanRun } from "@pro-talent/schemas/studio/clean-text";
import type { Run } from "@pro-talent/schemas/studio/runs";
import {
  type KeyboardEvent,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";

import { lazyPart } from "../../lazy-part.tsx";
import { command, drawRuns, hasSpace, placeCaret, readRuns } from "./rich-dom.ts";

const LinkDialog = lazyPart(async () => (await import("./link-dialog.tsx")).LinkDialog);

type RichFieldProps = {
  id: string;
  /** The id of the element that names it. */
  labelledBy: string;
  describedBy?: string | undefined;
  lang: string;
  runs: readonly Run[];
  onChange: (runs: Run[]) => void;
  /** Enter; without it nothing happens. */
  onEnter?: () => void;
  /** Backspace in an empty field. */
  onEmptied?: () => void;
  /** Alt with an arrow key: -1 up, 1 down. */
  onMove?: (by: number) => void;
  /** Lines that were pasted behind the first one. */
  onLines?: (lines: string[]) => void;
};

const isSame = (one: readonly Run[], other: readonly Run[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** One paragraph: plain text is inserted, and no more than has space. */
function takeInput(
  event: InputEvent,
  field: HTMLElement,
  onLines: RichFieldProps["onLines"],
): void {
  if (["insertParagraph", "insertLineBreak"].includes(event.inputType)) event.preventDefault();
  const pasted = event.dataTransfer?.getData("text/plain");
  if (pasted === undefined) {
    if (event.data !== null && !event.isComposing && !hasSpace(field, event.data.length))
      event.preventDefault();
    return;
  }
  event.preventDefault();
  const lines = pasted.split(/\r?\n/u).filter((line) => line.trim() !== "");
  const [first = "", ...others] = onLines === undefined ? [lines.join(" ")] : lines;
  const text = cleanRun(first);
  if (text !== "" && hasSpace(field, text.length)) command("insertText", text);
  if (others.length > 0) onLines?.(others);
}

/** Bold, italic and link, for a pointer; from the keyboard Ctrl+B, Ctrl+I and Ctrl+K do the same. */
function Marks({ onLink }: { onLink: () => void }) {
  const { t } = useTranslation("cv");
  const marks = [
    { name: "bold", text: t("rich.bold"), sign: t("rich.boldSign"), run: () => command("bold") },
    {
      name: "italic",
      text: t("rich.italic"),
      sign: t("rich.italicSign"),
      run: () => command("italic"),
    },
    { name: "link", text: t("rich.link"), sign: t("rich.linkSign"), run: onLink },
  ];
  return (
    <span className="cv-rich__marks">
      {marks.map(({ name, text, sign, run }) => (
        <button
          key={name}
          type="button"
          className={`cv-rich__mark cv-rich__mark--${name}`}
          tabIndex={-1}
          aria-label={text}
          title={text}
          // The selection in the field stays.
          onPointerDown={(event) => event.preventDefault()}
          onClick={run}
        >
          {sign}
        </button>
      ))}
    </span>
  );
}

/** The address at the selection, and what gives it another one. */
function useLink(field: RefObject<HTMLDivElement | null>) {
  const range = useRef<Range>(null);
  const [asked, setAsked] = useState<{ address: string }>();
  const ask = (): void => {
    const selection = getSelection();
    if (selection === null || selection.rangeCount === 0) return;
    range.current = selection.getRangeAt(0).cloneRange();
    const anchor = selection.anchorNode?.parentElement?.closest("a");
    // With the caret in a link, the whole of it is meant.
    if (anchor !== null && anchor !== undefined && selection.isCollapsed)
      range.current.selectNodeContents(anchor);
    setAsked({ address: anchor?.getAttribute("href") ?? "" });
  };
  const close = (address: string | undefined): void => {
    setAsked(undefined);
    const [element, at] = [field.current, range.current];
    if (element === null || at === null) return;
    // After the dialog has given back the focus.
    queueMicrotask(() => {
      element.focus();
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(at);
      if (address === undefined) return;
      if (address === "") command("unlink");
      else if (at.collapsed) command("insertText", address);
      else command("createLink", address);
    });
  };
  return { asked, ask, close };
}

const arrows: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** What a key does in the field; undefined: what it does in every field. */
function actOf(
  event: KeyboardEvent,
  { onEnter, onEmptied, onMove }: RichFieldProps,
  { isEmpty, onLink }: { isEmpty: boolean; onLink: () => void },
): (() => void) | undefined {
  const { key, code, altKey, shiftKey, ctrlKey, metaKey } = event;
  if ((ctrlKey || metaKey) && !altKey && !shiftKey) {
    // By the place of the key, since Hebrew keyboards have another character on it.
    const acts = { KeyK: onLink, KeyB: () => command("bold"), KeyI: () => command("italic") };
    return Object.entries(acts).find(([name]) => name === code)?.[1];
  }
  const by = altKey ? arrows[key] : undefined;
  if (by !== undefined && onMove !== undefined) return () => onMove(by);
  if (key === "Enter" && !event.nativeEvent.isComposing) return onEnter ?? (() => undefined);
  return key === "Backspace" && isEmpty ? onEmptied : undefined;
}

function useKeys(
  props: RichFieldProps,
  field: RefObject<HTMLDivElement | null>,
  onLink: () => void,
) {
  return (event: KeyboardEvent): void => {
    const act = actOf(event, props, { isEmpty: field.current?.textContent === "", onLink });
    if (act === undefined) return;
    event.preventDefault();
    // Ctrl+K is also the search of the area.
    event.nativeEvent.stopPropagation();
    act();
  };
}

/** A paragraph that can be bold, italic and linked in parts, and nothing else. */
export function RichField(props: RichFieldProps) {
  const { id, labelledBy, describedBy, lang, runs, onChange, onLines } = props;
  const field = useRef<HTMLDivElement>(null);
  const link = useLink(field);
  const lines = useRef(onLines);
  useEffect(() => {
    lines.current = onLines;
  });
  useLayoutEffect(() => {
    const element = field.current;
    if (element !== null && !isSame(readRuns(element), runs)) drawRuns(element, runs);
  }, [runs]);
  useEffect(() => {
    const element = field.current;
    if (element === null) return undefined;
    const onInput = (event: InputEvent): void => takeInput(event, element, lines.current);
    element.addEventListener("beforeinput", onInput);
    return () => element.removeEventListener("beforeinput", onInput);
  }, []);
  const onKeyDown = useKeys(props, field, link.ask);
  return (
    <div className="cv-rich">
      <div
        ref={field}
        id={id}
        className="cv-rich__field field__control"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a textarea has no bold or linked text
        role="textbox"
        aria-multiline="true"
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        tabIndex={0}
        contentEditable
        suppressContentEditableWarning
        dir="auto"
        lang={lang}
        spellCheck
        onInput={({ currentTarget }) => onChange(readRuns(currentTarget))}
        onKeyDown={onKeyDown}
      />
      <Marks onLink={link.ask} />
      <Suspense fallback={null}>
        {link.asked !== undefined && (
          <LinkDialog address={link.asked.address} onClose={link.close} />
        )}
      </Suspense>
    </div>
  );
}

/** Moves the focus into a field, behind its text. */
export function focusRich(id: string): void {
  const element = document.getElementById(id);
  element?.focus();
  if (element !== null) placeCaret(element, Number.MAX_SAFE_INTEGER);
}
