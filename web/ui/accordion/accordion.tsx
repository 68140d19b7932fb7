import { type ReactNode, useEffect, useId, useRef, useState } from "react";

import { Icon } from "../icon/icon.tsx";

import "./accordion.css";

export type AccordionItem = { id: string; title: string; content: ReactNode };

type PanelProps = { id: string; labelledBy: string; open: boolean; onFound: () => void };

/**
 * `hidden="until-found"` lets the browser's search open a closed panel. React cannot write that
 * value, so an effect sets it; styles have closed the panel before.
 */
function Panel({ id, labelledBy, open, onFound, children }: PanelProps & { children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = panel.current;
    if (open) element?.removeAttribute("hidden");
    else element?.setAttribute("hidden", "until-found");
  }, [open]);
  useEffect(() => {
    const element = panel.current;
    element?.addEventListener("beforematch", onFound);
    return () => element?.removeEventListener("beforematch", onFound);
  }, [onFound]);
  return (
    <section
      ref={panel}
      id={id}
      className="accordion__panel"
      data-open={open}
      aria-labelledby={labelledBy}
    >
      <div className="accordion__text">{children}</div>
    </section>
  );
}

/** One question is open at a time; pressing it closes it. Without scripts all answers are shown. */
export function Accordion({
  items,
  headingLevel = 3,
}: {
  items: readonly AccordionItem[];
  headingLevel?: 2 | 3;
}) {
  const [openItem, setOpenItem] = useState<string>();
  const prefix = useId();
  const Heading = headingLevel === 2 ? "h2" : "h3";
  return (
    <div className="accordion">
      {items.map(({ id, title, content }) => {
        const open = openItem === id;
        const [button, panel] = [`${prefix}${id}-button`, `${prefix}${id}-panel`];
        return (
          <div className="accordion__item" key={id}>
            <Heading className="accordion__heading">
              <button
                type="button"
                id={button}
                aria-expanded={open}
                aria-controls={panel}
                onClick={() => setOpenItem(open ? undefined : id)}
              >
                <span>{title}</span>
                <Icon name="more" />
              </button>
            </Heading>
            <Panel id={panel} labelledBy={button} open={open} onFound={() => setOpenItem(id)}>
              {content}
            </Panel>
          </div>
        );
      })}
    </div>
  );
}
