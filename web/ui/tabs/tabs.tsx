import type { ReactNode } from "react";
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from "react-aria-components";

import { PageLanguage } from "../react-aria/page-language.tsx";

import "./tabs.css";

export type TabItem = { id: string; title: string; content: ReactNode };

type TabsProps = {
  /** Names what the tabs choose between. */
  label: string;
  items: readonly TabItem[];
  /** The id of the shown tab. */
  selected: string;
  onSelect: (id: string) => void;
};

/** Views of one subject. Arrow keys move in the direction of the page and show the tab at once. */
export function Tabs({ label, items, selected, onSelect }: TabsProps) {
  return (
    <PageLanguage>
      <AriaTabs
        className="tabs"
        selectedKey={selected}
        onSelectionChange={(key) => onSelect(String(key))}
      >
        <TabList className="tabs__list" aria-label={label}>
          {items.map(({ id, title }) => (
            <Tab key={id} id={id} className="tabs__tab">
              {title}
            </Tab>
          ))}
        </TabList>
        {items.map(({ id, content }) => (
          <TabPanel key={id} id={id} className="tabs__panel">
            {content}
          </TabPanel>
        ))}
      </AriaTabs>
    </PageLanguage>
  );
}
