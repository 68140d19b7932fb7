import type { ComponentProps } from "react";

import "./button.css";

export type ButtonLook = "outline" | "solid" | "quiet";

/** The class of anything that looks like a button; a link to another page stays a link. */
export function buttonClass(look: ButtonLook = "outline"): string {
  return look === "outline" ? "button" : `button button--${look}`;
}

type ButtonProps = Omit<ComponentProps<"button">, "className"> & { look?: ButtonLook };

/** Does something on this page. Its words say what. */
export function Button({ look, ...rest }: ButtonProps) {
  return <button type="button" className={buttonClass(look)} {...rest} />;
}
