import {
  Autocomplete,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  TextField,
  useFilter,
} from "react-aria-components";

import { Dialog } from "../dialog/dialog.tsx";
import { PageLanguage } from "../react-aria/page-language.tsx";

import "../field/field.css";
import "../menu/menu-popover.css";
import "./command-menu.css";

type CommandGroup = {
  id: string;
  title: string;
  /** `keywords`: other names by which the command is found. */
  commands: readonly { id: string; text: string; keywords?: string }[];
};

type CommandTexts = { title: string; close: string; noMatch: string };

type CommandPanelProps = {
  texts: CommandTexts;
  groups: readonly CommandGroup[];
  onRun: (id: string) => void;
  onClose: () => void;
};

function Search({ texts, groups, onRun }: Omit<CommandPanelProps, "onClose">) {
  const { contains } = useFilter({ sensitivity: "base" });
  return (
    <Autocomplete filter={contains}>
      <TextField aria-label={texts.title}>
        <Input
          className="field__control"
          dir="auto"
          // A dialog gives focus to the element with this attribute, which React does not write.
          ref={(input) => input?.setAttribute("autofocus", "")}
        />
      </TextField>
      <Menu
        className="command-menu__list"
        aria-label={texts.title}
        onAction={(key) => onRun(String(key))}
        renderEmptyState={() => <p className="command-menu__empty">{texts.noMatch}</p>}
      >
        {groups.map(({ id, title, commands }) => (
          <MenuSection key={id} className="menu__group">
            <Header className="menu__title">{title}</Header>
            {commands.map((command) => (
              <MenuItem
                key={command.id}
                id={command.id}
                className="menu__item"
                textValue={`${command.text} ${command.keywords ?? ""}`}
              >
                <bdi>{command.text}</bdi>
              </MenuItem>
            ))}
          </MenuSection>
        ))}
      </Menu>
    </Autocomplete>
  );
}

/** A field and the commands that match it: arrows choose, Enter runs, Escape closes. */
export function CommandPanel({ texts, groups, onRun, onClose }: CommandPanelProps) {
  return (
    <PageLanguage>
      <Dialog title={texts.title} closeLabel={texts.close} onClose={onClose}>
        <Search texts={texts} groups={groups} onRun={onRun} />
      </Dialog>
    </PageLanguage>
  );
}
