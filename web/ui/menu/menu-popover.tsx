import type { ReactNode, RefObject } from "react";
import { Header, Menu as AriaMenu, MenuItem, MenuSection, Popover } from "react-aria-components";

import { PageLanguage } from "../react-aria/page-language.tsx";

import "./menu-popover.css";

export type MenuEntry = {
  id: string;
  text: string;
  /** Makes the item a link. */
  href?: string;
  /** What cannot be undone. */
  danger?: boolean;
  disabled?: boolean;
};
export type MenuGroup = { id: string; title?: string; entries: readonly MenuEntry[] };

type MenuPopoverProps = {
  trigger: RefObject<HTMLElement | null>;
  label: string | undefined;
  /** Above the items: what they are about. */
  heading: ReactNode;
  groups: readonly MenuGroup[];
  focused: "first" | "last";
  onAction: (id: string) => void;
  onClose: () => void;
};

function Entry({ id, text, href, danger = false, disabled = false }: MenuEntry) {
  return (
    <MenuItem
      id={id}
      className="menu__item"
      textValue={text}
      isDisabled={disabled}
      data-danger={danger}
      {...(href === undefined ? {} : { href })}
    >
      {text}
    </MenuItem>
  );
}

/** An open menu below its button. It takes focus, and gives it back when it closes. */
export function MenuPopover(props: MenuPopoverProps) {
  const { trigger, label, heading, groups, focused, onAction, onClose } = props;
  const name = label ?? trigger.current?.textContent ?? "";
  const links = new Set(
    groups.flatMap(({ entries }) => entries.flatMap(({ id, href }) => (href ? [id] : []))),
  );
  return (
    <PageLanguage>
      <Popover
        className="menu"
        aria-label={name}
        triggerRef={trigger}
        isOpen
        placement="bottom start"
        offset={4}
        onOpenChange={(open) => !open && onClose()}
      >
        {heading !== undefined && <div className="menu__heading">{heading}</div>}
        <AriaMenu
          aria-label={name}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a menu takes focus when it opens
          autoFocus={focused}
          onClose={onClose}
          onAction={(key) => !links.has(String(key)) && onAction(String(key))}
        >
          {groups.map(({ id, title, entries }) => (
            <MenuSection key={id} className="menu__group" aria-label={title ?? name}>
              {title !== undefined && <Header className="menu__title">{title}</Header>}
              {entries.map((entry) => (
                <Entry key={entry.id} {...entry} />
              ))}
            </MenuSection>
          ))}
        </AriaMenu>
      </Popover>
    </PageLanguage>
  );
}
