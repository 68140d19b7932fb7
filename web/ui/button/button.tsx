import type { ComponentProps } from "react";

import "./button.css";

export type ButtonLook = "outline" | "solid" | "text";

/** The class of a button look, also for links. */
export function buttonClass(look: ButtonLook = "outline"): string {
  return look === "outline" ? "button" : `button button--${look}`;
}

type ButtonProps = Omit<ComponentProps<"button">, "className"> & { look?: ButtonLook };

export function Button({ look, ...rest }: ButtonProps) {
  return <button type="button" className={buttonClass(look)} {...rest} />;
}
