import { type ReactNode, useId } from "react";

import "./switch.css";

type SwitchProps = {
  /** Names the setting, not its state. */
  name: ReactNode;
  body: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onToggle: () => void;
};

export function Switch({ name, body, checked, disabled, onToggle }: SwitchProps) {
  const id = useId();
  return (
    <label className="switch" htmlFor={id}>
      <span className="switch__name" id={`${id}-name`}>
        {name}
      </span>
      <span className="switch__body" id={`${id}-body`}>
        {body}
      </span>
      <input
        className="switch__control"
        type="checkbox"
        role="switch"
        id={id}
        checked={checked}
        aria-checked={checked}
        disabled={disabled ?? false}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-body`}
        onChange={onToggle}
      />
    </label>
  );
}
