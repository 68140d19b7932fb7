import type { ComponentProps } from "react";

import { Icon } from "../icon/icon.tsx";

import "./field.css";

/** A list to choose from, with the sign that opens it. */
export function Select(props: ComponentProps<"select">) {
  return (
    <div className="field__select">
      <select {...props} />
      <Icon name="expand" />
    </div>
  );
}
