import type { ComponentProps } from "react";
import { Focusable, Tooltip as AriaTooltip, TooltipTrigger } from "react-aria-components";

import { PageLanguage } from "../react-aria/page-language.tsx";

import "./tooltip.css";

type TooltipProps = {
  /** Adds to the name of the control; never the only place of what is needed. */
  text: string;
  /** One control that can be focused. */
  children: ComponentProps<typeof Focusable>["children"];
};

const delayMs = 400;

/** A remark shown while a control has focus or the pointer; Escape hides it. */
export function Tooltip({ text, children }: TooltipProps) {
  return (
    <PageLanguage>
      <TooltipTrigger delay={delayMs}>
        <Focusable>{children}</Focusable>
        <AriaTooltip className="tooltip" offset={6}>
          {text}
        </AriaTooltip>
      </TooltipTrigger>
    </PageLanguage>
  );
}
