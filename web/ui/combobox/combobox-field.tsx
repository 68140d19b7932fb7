import { useMemo } from "react";
import {
  Button,
  ComboBox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
  useFilter,
} from "react-aria-components";

import { Icon } from "../icon/icon.tsx";
import { PageLanguage } from "../react-aria/page-language.tsx";

import "../field/field.css";
import "./combobox.css";

export type ComboboxOption = { id: string; text: string };

export type ComboboxProps = {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  options: readonly ComboboxOption[];
  /** The id of the chosen option. */
  selected: string | undefined;
  onSelect: (id: string | undefined) => void;
  /** Other words by which an option is found. */
  wordsOf?: ((id: string) => string) | undefined;
  texts: {
    /** Names the button that shows all options. */
    show: string;
    noMatch: string;
  };
};

export function ComboboxField(props: ComboboxProps) {
  const { label, hint, error, options, selected, onSelect, wordsOf, texts } = props;
  const { contains } = useFilter({ sensitivity: "base" });
  const ids = useMemo(() => new Map(options.map(({ id, text }) => [text, id])), [options]);
  const matches = (text: string, typed: string): boolean => {
    const id = ids.get(text);
    const words = id === undefined ? undefined : wordsOf?.(id);
    return contains(text, typed) || (words !== undefined && contains(words, typed));
  };
  return (
    <PageLanguage>
      <ComboBox
        className="field combobox"
        defaultItems={options}
        defaultFilter={matches}
        isInvalid={error !== undefined}
        allowsEmptyCollection
        value={selected ?? null}
        onChange={(key) => onSelect(key === null ? undefined : String(key))}
      >
        <Label className="field__label">{label}</Label>
        {hint !== undefined && (
          <Text slot="description" className="field__hint">
            {hint}
          </Text>
        )}
        <div className="combobox__row">
          {/* In the direction of the page, so that no text runs under the button. */}
          <Input className="field__control" />
          <Button className="combobox__button" aria-label={texts.show}>
            <Icon name="expand" />
          </Button>
        </div>
        <FieldError className="field__error">{error}</FieldError>
        <Popover className="combobox__popover" offset={4}>
          <ListBox<ComboboxOption>
            className="combobox__list"
            renderEmptyState={() => <div className="combobox__empty">{texts.noMatch}</div>}
          >
            {(option) => (
              <ListBoxItem className="combobox__option" textValue={option.text}>
                <bdi>{option.text}</bdi>
                <Icon name="check" />
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </PageLanguage>
  );
}
