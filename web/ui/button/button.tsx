import type { ComponentProps } from "react";

import "./button.css";

export type ButtonVariant = "outline" | "solid" | "text";

/** The class of a variant of the button, also for links. */
export function buttonClass(variant: ButtonVariant = "outline"): string {
  return variant === "outline" ? "button" : `button button--${variant}`;
}

type ButtonProps = Omit<ComponentProps<"button">, "className"> & { variant?: ButtonVariant };

export function Button({ variant, ...rest }: ButtonProps) {
  return <button type="button" className={buttonClass(variant)} {...rest} />;
}
