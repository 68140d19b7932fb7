import type { ReactNode, Ref } from "react";

import { Icon } from "../icon/icon.tsx";

import "./notice.css";

type NoticeProps = {
  kind: "success" | "error";
  /** Receives focus when the element that had it disappears. */
  ref?: Ref<HTMLDivElement>;
  children?: ReactNode;
};

/** The live region exists before its text, so that screen readers announce it. */
export function Notice({ kind, ref, children }: NoticeProps) {
  const empty = children === undefined || children === null || children === false;
  return (
    <div className="notice-region" role={kind === "error" ? "alert" : "status"}>
      {!empty && (
        <div className={`notice notice--${kind}`} tabIndex={-1} ref={ref}>
          {kind === "success" && <Icon name="check" />}
          <div className="notice__words">{children}</div>
        </div>
      )}
    </div>
  );
}
