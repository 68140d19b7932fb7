import type { ReactNode, Ref } from "react";

import { Icon } from "../icon/icon.tsx";

import "./notice.css";

type NoticeProps = {
  kind: "success" | "error";
  /** Takes focus from scripts, where the reader's place has gone. */
  ref?: Ref<HTMLDivElement>;
  children?: ReactNode;
};

/**
 * Says how something went. The region stands in the page before there is anything to say, so that
 * it is read aloud when the words come.
 */
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
