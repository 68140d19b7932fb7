import {
  autocompletion,
  closeBrackets,
  closeCompletion,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { sql } from "@codemirror/lang-sql";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import type { Described, QueryFault } from "./analyst-calls.ts";
import { clickHouse, completionsOf } from "./clickhouse-dialect.ts";

/** Ink, weight and one shade: nothing is said by colour alone. */
const highlights = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], fontWeight: "700" },
  { tag: [tags.string, tags.number, tags.bool], color: "var(--focus)" },
  { tag: tags.comment, color: "var(--muted)" },
  { tag: tags.typeName, textDecoration: "underline dotted" },
]);

const theme = EditorView.theme({
  "&": { backgroundColor: "var(--surface)", color: "var(--ink)", fontSize: "0.9375rem" },
  "&.cm-focused": { outline: "3px solid var(--focus)", outlineOffset: "2px" },
  ".cm-scroller": {
    fontFamily: 'ui-monospace, "Liberation Mono", monospace',
    lineHeight: "1.6",
    minHeight: "11rem",
    maxHeight: "26rem",
  },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.75rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-gutters": {
    backgroundColor: "var(--surface)",
    borderRight: "1px solid var(--danger)",
    color: "var(--muted)",
    minWidth: "2.75rem",
  },
  ".cm-selectionBackground, ::selection": {
    backgroundColor: "color-mix(in oklab, var(--focus) 28%, transparent) !important",
    color: "inherit",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    border: "1px solid var(--ink)",
    color: "var(--ink)",
    fontSize: "0.875rem",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--ink) !important",
    color: "var(--canvas) !important",
  },
  ".cm-completionDetail": { color: "inherit", fontStyle: "normal" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--danger) 2px",
    textUnderlineOffset: "0.2em",
  },
  ".cm-diagnostic-error": { borderLeftColor: "var(--danger)" },
});

/** The place of a fault in a text; the word there, or one character. */
function rangeOf(state: EditorState, place: NonNullable<QueryFault["place"]>) {
  const line = state.doc.line(Math.max(1, Math.min(place.line, state.doc.lines)));
  const from = Math.min(line.to, line.from + place.column - 1);
  const { to = Math.min(state.doc.length, from + 1) } = state.wordAt(from) ?? {};
  return { from, to };
}

export type SqlEditorProps = {
  /** Another one shows another text, with a history of its own. */
  queryId: string;
  text: string;
  described: Described | undefined;
  fault: QueryFault | undefined;
  /** Counts up when the place of the fault is asked for. */
  visits: number;
  onChange: (text: string) => void;
  /** With the text that is in the editor, which may be newer than what was last drawn. */
  onRun: (text: string) => void;
};

/** Keeps what the newest render gave, for callbacks that the editor was made with. */
function useNewest<Value>(value: Value) {
  const newest = useRef(value);
  useEffect(() => {
    newest.current = value;
  });
  return newest;
}

/**
 * Chromium gives text that is typed over other text the look of that by an inline style, which the site's policy blocks. So
 * the editor replaces the text itself, as it does what is typed elsewhere.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data }, view) => {
    const { state, composing } = view;
    const { from, to, empty } = state.selection.main;
    if (inputType !== "insertText" || data === null || empty || composing) return false;
    const typed = { userEvent: "input.type", scrollIntoView: true };
    const insert = () => state.update(state.replaceSelection(data), typed);
    const handlers = state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});

/** What the editor is for every query. Tab indents; the library lets Escape before it give it back to the page. */
const ofEveryQuery = [
  keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
  lineNumbers(),
  history(),
  bracketMatching(),
  closeBrackets(),
  typedOver,
  sql({ dialect: clickHouse }),
  syntaxHighlighting(highlights),
  theme,
  EditorView.lineWrapping,
];

/** Makes the editor in the element of `host`, anew for each query, with the texts of the page. */
function useEditor(props: SqlEditorProps) {
  const { queryId, described } = props;
  const { t } = useTranslation("analyst");
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  /** Texts that were typed, until they come back as the text of the query. */
  const typed = useRef({ queryId, texts: new Array<string>() });
  const newest = useNewest(props);
  useEffect(() => {
    const place = host.current;
    if (place === null) return undefined;
    const root = place.shadowRoot ?? place.attachShadow({ mode: "open" });
    const words = {
      column: (name: string) => t("editor.column", { view: name }),
      view: t("editor.view"),
      function: t("editor.function"),
    };
    const run = (editor: EditorView): boolean => {
      // Else one that opens a moment later takes the Escape that is meant for the query.
      closeCompletion(editor);
      newest.current.onRun(editor.state.doc.toString());
      return true;
    };
    const completions = described === undefined ? [] : [completionsOf(described, words)];
    const extensions = [
      keymap.of([{ key: "Mod-Enter", run }]),
      ofEveryQuery,
      autocompletion({ override: completions, icons: false }),
      EditorState.phrases.of({
        Completions: t("editor.phrases.completions"),
        "Control character": t("editor.phrases.controlCharacter"),
      }),
      EditorView.contentAttributes.of({ "aria-label": t("editor.label"), spellcheck: "false" }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (!docChanged) return;
        const text = state.doc.toString();
        typed.current.texts.push(text);
        newest.current.onChange(text);
      }),
    ];
    if (typed.current.queryId !== queryId) typed.current = { queryId, texts: [] };
    const doc = typed.current.texts.at(-1) ?? newest.current.text;
    const first = EditorState.create({ doc, extensions });
    const made = new EditorView({ root, parent: root, state: first });
    view.current = made;
    return () => made.destroy();
  }, [queryId, described, newest, t]);
  return { host, view, typed, newest };
}

/**
 * The editor. It lives in a shadow root: there its style sheets are adopted as objects, which the site's policy allows,
 * where in a document they would be inline styles.
 */
export function SqlEditor(props: SqlEditorProps) {
  const { text, fault, visits } = props;
  const { host, view, typed, newest } = useEditor(props);
  // A text that comes from elsewhere, as a formatted one; one that was typed must not replace what was typed after it.
  useEffect(() => {
    const { current } = view;
    const { texts } = typed.current;
    const at = texts.lastIndexOf(text);
    texts.splice(0, at === -1 ? texts.length : at + 1);
    if (at !== -1) return;
    const now = current?.state.doc.toString();
    if (current === null || now === text) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } });
  }, [text, typed, view]);
  useEffect(() => {
    const { current } = view;
    if (current === null) return;
    const { place, message = "" } = fault ?? {};
    const marks =
      place === undefined
        ? []
        : [{ ...rangeOf(current.state, place), severity: "error", message } as const];
    current.dispatch(setDiagnostics(current.state, marks));
  }, [fault, view]);
  useEffect(() => {
    const { current } = view;
    const { place } = newest.current.fault ?? {};
    if (current === null || visits === 0 || place === undefined) return;
    const { from } = rangeOf(current.state, place);
    current.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    current.focus();
  }, [visits, newest, view]);
  return <div ref={host} className="sql-editor" dir="ltr" />;
}
