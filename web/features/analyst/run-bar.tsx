import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import type { QueryFault } from "./analyst-calls.ts";
import type { RunState } from "./query-run.ts";

const units = ["B", "kB", "MB", "GB"] as const;

/** Sizes and numbers as readers see them. */
export function useAmounts() {
  const language = useLanguage();
  const number = new Intl.NumberFormat(language);
  const size = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const bytes = (value: number): string => {
    const at = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
    // Joined here, since Hebrew has "GB1" in CLDR. The unit stays behind its number in every
    // direction (Unicode UAX #9, LRI and PDI).
    return `\u2066${size.format(value / 1000 ** at)}\u00A0${units[at] ?? "B"}\u2069`;
  };
  return { number: (value: number) => number.format(value), bytes };
}

const tickMs = 100;

function Progress({
  state,
  secondsMax,
}: {
  state: Extract<RunState, { is: "running" | "cancelling" }>;
  secondsMax: number;
}) {
  const { t } = useTranslation("analyst");
  const { number, bytes } = useAmounts();
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, (now - state.startedMs) / 1000);
  return (
    <div className="run-bar__progress">
      <progress
        aria-label={t("run.running")}
        max={secondsMax}
        value={Math.min(seconds, secondsMax)}
      />
      <span>{t("run.elapsed", { shown: seconds.toFixed(1), max: secondsMax })}</span>
      {state.statistics !== undefined && (
        <span>
          {t("run.read", {
            rows: number(state.statistics.rowsRead),
            bytes: bytes(state.statistics.bytesRead),
          })}
        </span>
      )}
      {state.bytes > 0 && <span>{t("run.received", { shown: bytes(state.bytes) })}</span>}
      {state.rows > 0 && <span>{t("run.rowsSoFar", { shown: number(state.rows) })}</span>}
    </div>
  );
}

type RunBarProps = {
  state: RunState;
  secondsMax: number;
  onRun: () => void;
  onCancel: () => void;
  onFormat: () => void;
};

/** Runs, cancels and formats; while a query runs, how far it is. */
export function RunBar({ state, secondsMax, onRun, onCancel, onFormat }: RunBarProps) {
  const { t } = useTranslation("analyst");
  const isRunning = state.is === "running" || state.is === "cancelling";
  return (
    <div className="run-bar">
      <div className="run-bar__acts">
        {/* One button, so that the focus stays where it was. */}
        <Button
          variant="solid"
          disabled={state.is === "cancelling"}
          onClick={isRunning ? onCancel : onRun}
        >
          {state.is === "cancelling"
            ? t("run.cancelling")
            : isRunning
              ? t("run.cancel")
              : t("run.run")}
        </Button>
        <Button variant="text" disabled={isRunning} onClick={onFormat}>
          {t("editor.format")}
        </Button>
      </div>
      {isRunning && <Progress state={state} secondsMax={secondsMax} />}
      <Outcome state={state} />
    </div>
  );
}

/** What became of the query, announced. */
function Outcome({ state }: { state: RunState }) {
  const { t } = useTranslation("analyst");
  const { number, bytes } = useAmounts();
  const said = (): string => {
    if (state.is === "running") return t("run.running");
    if (state.is === "cancelled") return t("run.cancelled");
    if (state.is === "saved") return t("export.done", { shown: bytes(state.bytes) });
    if (state.is !== "shown") return "";
    const { result, statistics, milliseconds } = state;
    const { count } = result;
    const done = t("run.done", { count, shown: number(count), ms: number(milliseconds) });
    const { rowsRead = 0, bytesRead = 0 } = statistics ?? {};
    const read = t("run.read", { rows: number(rowsRead), bytes: bytes(bytesRead) });
    return `${done} ${statistics === undefined ? t("run.size", { bytes: bytes(state.bytes) }) : read}`;
  };
  return (
    <output className={state.is === "running" ? "visually-hidden" : "run-bar__outcome"}>
      {said()}
    </output>
  );
}

const codes = [
  "query_wrong",
  "query_refused",
  "query_limited",
  "queries_running",
  "query_quota_used",
  "upstream_unavailable",
  "broken",
] as const;

type FaultNoticeProps = {
  fault: QueryFault | undefined;
  /** Leads to the place in the editor; undefined when its text has changed. */
  onGo: (() => void) | undefined;
};

/** Why a query was not answered, and where; the engine's own words are in English. */
export function FaultNotice({ fault, onGo }: FaultNoticeProps) {
  const { t } = useTranslation("analyst");
  const code = codes.find((one) => one === fault?.code) ?? "other";
  return (
    <Notice kind="error">
      {fault !== undefined && (
        <div className="query-fault">
          <strong>{t(`failed.${code}`)}</strong>
          {fault.place !== undefined && <span>{t("failed.place", fault.place)}</span>}
          {fault.message === "" ? (
            <p>{t("failed.again")}</p>
          ) : (
            <p lang="en" dir="ltr" className="query-fault__message">
              {fault.message}
            </p>
          )}
          {fault.place !== undefined && onGo !== undefined && (
            <Button onClick={onGo}>{t("failed.goTo")}</Button>
          )}
        </div>
      )}
    </Notice>
  );
}
