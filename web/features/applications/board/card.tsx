import { type KeyboardEvent, memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { AppIcon } from "../../../ui/icon/app-icon.tsx";
import { Menu } from "../../../ui/menu/menu.tsx";
import { OpenedMark } from "../../../ui/opened-mark/opened-mark.tsx";
import { isolated } from "../../isolated.ts";
import type { Application, Stage } from "../queries.ts";
import type { TrackerTexts } from "../tracker-texts.ts";

/** The controls of a card that take the focus as arrow keys lead from card to card. */
export type CardControl = "title" | "handle";
export const controlId = (applicationId: string, control: CardControl): string =>
  `${control}-${applicationId}`;

export type CardActs = {
  /** Picks a card up, or puts down the one that is carried. */
  onHandle: (applicationId: string) => void;
  onHandleLeft: () => void;
  onKeyDown: (event: KeyboardEvent, applicationId: string) => void;
  onMoveTo: (application: Application, stage: Stage) => void;
  onArchive: (application: Application) => void;
};

type CardProps = {
  application: Application;
  stages: readonly Stage[];
  openedAt: string | undefined;
  now: number;
  /** One card of each column is reached by Tab, the others from it by arrow keys. */
  reached: boolean;
  carried: boolean;
  acts: CardActs;
  /** The same for all cards: formats are slow to make. */
  texts: TrackerTexts;
  /** One of its controls has the focus. */
  onReach: (applicationId: string) => void;
};

function CardMenu({
  application,
  stages,
  acts,
  reached,
  texts,
}: Pick<CardProps, "application" | "stages" | "acts" | "reached" | "texts">) {
  const { t } = useTranslation("applications");
  const { company } = application.details;
  const targets = stages.filter(({ stageId }) => stageId !== application.stageId);
  const isArchived = application.archivedAt !== null;
  return (
    <span className="slip__menu">
      <Menu
        variant="text"
        tabIndex={reached ? 0 : -1}
        label={t("card.menu", { name: isolated(company) })}
        groups={[
          {
            id: "move",
            title: t("card.moveTo"),
            entries: targets.map((stage) => ({ id: stage.stageId, text: texts.stage(stage) })),
          },
          {
            id: "archive",
            entries: [
              { id: "archive", text: t(isArchived ? "archive.restore" : "archive.action") },
            ],
          },
        ]}
        onAction={(id) => {
          const target = targets.find(({ stageId }) => stageId === id);
          if (target === undefined) acts.onArchive(application);
          else acts.onMoveTo(application, target);
        }}
      >
        <AppIcon name="ellipsis" />
      </Menu>
    </span>
  );
}

/** An application on the board: dragged by a pointer, carried by keys, or moved by its menu. */
export const Card = memo(function Card(props: CardProps) {
  const { application, openedAt, now, reached, carried, acts, texts, onReach } = props;
  const { t } = useTranslation("applications");
  const { applicationId, details, stageSince, remindAt } = application;
  const tabIndex = reached ? 0 : -1;
  const title = (
    <Link
      id={controlId(applicationId, "title")}
      to={`/applications/${applicationId}`}
      draggable={false}
      tabIndex={tabIndex}
    >
      <bdi>{details.company}</bdi>
    </Link>
  );
  const isNews = openedAt !== undefined && openedAt > stageSince;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys lead from one of its controls to those of other cards
    <div
      className="slip"
      data-application={applicationId}
      data-carried={carried}
      onKeyDown={(event) => acts.onKeyDown(event, applicationId)}
      onFocus={() => onReach(applicationId)}
    >
      <h3 className="slip__company">{isNews ? <OpenedMark>{title}</OpenedMark> : title}</h3>
      <span className="slip__acts">
        <button
          type="button"
          id={controlId(applicationId, "handle")}
          className="slip__handle"
          tabIndex={tabIndex}
          aria-label={t("card.handle", { name: isolated(details.company) })}
          aria-pressed={carried}
          aria-describedby="board-keys"
          onClick={() => acts.onHandle(applicationId)}
          onBlur={carried ? acts.onHandleLeft : undefined}
        >
          <AppIcon name="drag" />
        </button>
        <CardMenu {...props} />
      </span>
      {details.role !== "" && (
        <p className="slip__role">
          <bdi>{details.role}</bdi>
        </p>
      )}
      {openedAt !== undefined && <p className="slip__opened">{texts.opened(openedAt)}</p>}
      <p className="slip__quiet">
        {texts.inStage(stageSince, now)}
        {remindAt !== null && ` · ${t("card.reminder", { time: texts.time(remindAt, now) })}`}
      </p>
    </div>
  );
});
