import { cleanLine } from "@pro-talent/schemas/studio/clean-text";
import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { plainOf, type Run } from "@pro-talent/schemas/studio/runs";
import { memo, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { isolated } from "../../isolated.ts";
import { idOf, useEditing } from "./editing.ts";
import { add, move, newBullet, newId, put, remove } from "./edits.ts";
import { Advice, useDescription } from "./line-field.tsx";
import { OrderMenu } from "./order-menu.tsx";
import { focusRich, RichField } from "./rich-field.tsx";
import { useRemoval } from "./use-removal.ts";

type Bullet = { id: string; text: Run[] };

/** The id of the control that takes the focus when it is there. */
function useFocusNext() {
  const next = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (next.current === undefined || document.getElementById(next.current) === null) return;
    focusRich(next.current);
    next.current = undefined;
  });
  return (path: string): void => {
    next.current = idOf(path);
  };
}

type BulletFieldProps = {
  list: string;
  bullet: Bullet;
  index: number;
  count: number;
  onEnter: () => void;
  onLines: (lines: string[]) => void;
  onEmptied: () => void;
  onRemove: () => void;
};

const BulletField = memo(
  function BulletField(props: BulletFieldProps) {
    const { list, bullet, index, count, onEnter, onLines, onEmptied, onRemove } = props;
    const { t } = useTranslation("cv");
    const { edit, announce, language } = useEditing();
    const path = `${list}/${bullet.id}/text`;
    const described = useDescription(path);
    const name = plainOf(bullet.text).slice(0, 40) || t("fields.bullet", { place: index + 1 });
    const moveBy = (by: number): void => {
      const to = index + by;
      if (to < 0 || to >= count) return;
      edit(move(list, bullet.id, to));
      announce(t("order.moved", { name: isolated(name), place: to + 1 }));
      // Moved in the document, an element loses the focus.
      requestAnimationFrame(() => document.getElementById(idOf(path))?.focus());
    };
    return (
      <li className="cv-bullet">
        <span className="visually-hidden" id={`${idOf(path)}-label`}>
          {t("fields.bullet", { place: index + 1 })}
        </span>
        <RichField
          id={idOf(path)}
          labelledBy={`${idOf(path)}-label`}
          describedBy={described}
          lang={language}
          runs={bullet.text}
          onChange={(runs) => edit(put(path, runs))}
          onEnter={onEnter}
          onLines={onLines}
          onEmptied={onEmptied}
          onMove={moveBy}
        />
        <OrderMenu
          list={list}
          id={bullet.id}
          index={index}
          count={count}
          name={name}
          onRemove={onRemove}
        />
        <Advice path={path} />
      </li>
    );
  },
  // What it does with the list depends on these alone.
  (one, other) =>
    one.bullet === other.bullet && one.index === other.index && one.count === other.count,
);

const withText = (line: string) => ({
  id: newId(),
  text: [{ text: cleanLine(line), bold: false, italic: false, link: null }],
});

/** What is done with the points of an entry; the focus follows. */
function useBulletEdits(path: string, bullets: readonly Bullet[]) {
  const { t } = useTranslation("cv");
  const { edit } = useEditing();
  const removeSafely = useRemoval();
  const focusNext = useFocusNext();
  const isFull = bullets.length >= cvLimits.bulletsMax;
  const addAfter = (id: string | undefined): void => {
    if (isFull) return;
    const bullet = newBullet();
    focusNext(`${path}/${bullet.id}/text`);
    edit(add(path, bullet, id));
  };
  const addLines = (id: string, lines: readonly string[]): void => {
    let after = id;
    for (const line of lines.slice(0, cvLimits.bulletsMax - bullets.length)) {
      const bullet = withText(line);
      edit(add(path, bullet, after));
      after = bullet.id;
    }
    focusNext(`${path}/${after}/text`);
  };
  const neighbour = (index: number): Bullet | undefined => bullets[index - 1] ?? bullets[index + 1];
  const focusNeighbour = (index: number): void => {
    const other = neighbour(index);
    if (other !== undefined) focusNext(`${path}/${other.id}/text`);
  };
  return {
    isFull,
    addAfter,
    addLines,
    dropEmpty: (index: number, id: string): void => {
      focusNeighbour(index);
      edit(remove(`${path}/${id}`));
    },
    drop: (index: number, bullet: Bullet): void => {
      focusNeighbour(index);
      const name = t("fields.bullet", { place: index + 1 });
      removeSafely(path, { ...bullet }, { previous: bullets[index - 1]?.id, name });
    },
  };
}

/** Points of an entry: Enter adds the next, Backspace removes an empty one. */
export function Bullets({ path, bullets }: { path: string; bullets: readonly Bullet[] }) {
  const { t } = useTranslation("cv");
  const { isFull, addAfter, addLines, dropEmpty, drop } = useBulletEdits(path, bullets);
  return (
    <fieldset className="cv-bullets">
      <legend className="field__label">{t("fields.bullets")}</legend>
      {bullets.length > 0 && (
        <>
          <ul className="cv-bullets__list">
            {bullets.map((bullet, index) => (
              <BulletField
                key={bullet.id}
                list={path}
                bullet={bullet}
                index={index}
                count={bullets.length}
                onEnter={() => addAfter(bullet.id)}
                onLines={(lines) => addLines(bullet.id, lines)}
                onEmptied={() => dropEmpty(index, bullet.id)}
                onRemove={() => drop(index, bullet)}
              />
            ))}
          </ul>
          <p className="cv-quiet">{t("fields.bulletsHint")}</p>
        </>
      )}
      <Button variant="text" disabled={isFull} onClick={() => addAfter(bullets.at(-1)?.id)}>
        <Icon name="more" />
        {t("fields.addBullet")}
      </Button>
    </fieldset>
  );
}
