import { type KeyboardEvent, lazy, type ReactNode, Suspense, useRef, useState } from "react";

import { buttonClass, type ButtonVariant } from "../button/button.tsx";
import type { MenuGroup } from "./menu-popover.tsx";

const load = () => import("./menu-popover.tsx");
const MenuPopover = lazy(async () => ({ default: (await load()).MenuPopover }));

type MenuProps = {
  /** The content of the button. */
  children: ReactNode;
  /** Names the button if its content has no text. */
  label?: string;
  variant?: ButtonVariant;
  /** Above the items: what they are about. */
  heading?: ReactNode;
  groups: readonly MenuGroup[];
  /** Receives the id of the chosen item. Items with an address are links and are not reported. */
  onAction: (id: string) => void;
  /** -1 where arrow keys lead to it from elsewhere. */
  tabIndex?: number;
};

/**
 * A button that opens a menu of actions. The menu's code is loaded when the button is about to be
 * used, so that it is no part of the first load.
 */
export function Menu({
  children,
  label,
  variant = "outline",
  heading,
  groups,
  onAction,
  tabIndex = 0,
}: MenuProps) {
  const [open, setOpen] = useState<"first" | "last">();
  const button = useRef<HTMLButtonElement>(null);
  const prepare = (): void => {
    // A failure is shown when the menu is opened.
    load().catch(() => undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setOpen(event.key === "ArrowDown" ? "first" : "last");
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={buttonClass(variant)}
        tabIndex={tabIndex}
        aria-haspopup="menu"
        aria-expanded={open !== undefined}
        aria-label={label}
        onPointerEnter={prepare}
        onFocus={prepare}
        onKeyDown={onKeyDown}
        onClick={() => setOpen("first")}
      >
        {children}
      </button>
      {open !== undefined && (
        <Suspense>
          <MenuPopover
            trigger={button}
            label={label}
            heading={heading}
            groups={groups}
            focused={open}
            onAction={onAction}
            onClose={() => setOpen(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
