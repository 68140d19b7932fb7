import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router-dom";

import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { Select } from "../../../ui/field/select.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { isolated } from "../../isolated.ts";
import { useViewTexts } from "../../view-texts.ts";
import { useApplicationActs } from "../acts.ts";
import {
  type Application,
  isUnknown,
  type Stage,
  trackerQuery,
  type Whole,
  wholeQuery,
} from "../queries.ts";
import { useTrackerTexts } from "../tracker-texts.ts";
import { Contacts } from "./contacts.tsx";
import { Details } from "./details.tsx";
import { Files } from "./files.tsx";
import { Reminders } from "./reminders.tsx";
import { SentWith } from "./sent.tsx";
import { Timeline } from "./timeline.tsx";

import "../tracker.css";
import "./application.css";

type ActsProps = { application: Application; stages: readonly Stage[]; readOnly: boolean };

/** The stage of the application. */
function StageChoice({ application, stages }: Omit<ActsProps, "readOnly">) {
  const { t } = useTranslation("applications");
  const { stage: nameOf } = useTrackerTexts();
  const { move } = useApplicationActs();
  const id = useId();
  const { applicationId, stageId } = application;
  const moveTo = (chosen: string): void => {
    const stage = stages.find((one) => one.stageId === chosen);
    if (stage !== undefined)
      move({ ids: [applicationId], stageId: chosen, before: null }, nameOf(stage));
  };
  return (
    <label className="application__stage" htmlFor={id}>
      {t("fields.stage")}
      <Select
        id={id}
        className="field__control"
        value={stageId}
        onChange={({ target }) => moveTo(target.value)}
      >
        {stages.map((stage) => (
          <option key={stage.stageId} value={stage.stageId}>
            {nameOf(stage)}
          </option>
        ))}
      </Select>
    </label>
  );
}

/** What is done with the application as a whole. */
function Acts({ application, stages, readOnly }: ActsProps) {
  const { t } = useTranslation(["application", "applications"]);
  const { archive, remove } = useApplicationActs();
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  const { applicationId, archivedAt, details } = application;
  const confirm = async (): Promise<void> => {
    setAsked(false);
    if (await remove([applicationId])) void navigate("/applications");
  };
  return (
    <>
      {!readOnly && (
        <>
          <StageChoice application={application} stages={stages} />
          <Button onClick={() => void archive([applicationId], archivedAt === null)}>
            {t(
              archivedAt === null ? "applications:archive.action" : "applications:archive.restore",
            )}
          </Button>
        </>
      )}
      <Button variant="text" onClick={() => setAsked(true)}>
        {t("applications:delete.action")}
      </Button>
      {asked && (
        <ConfirmDialog
          title={t("applications:delete.one", { name: isolated(details.company) })}
          texts={{
            confirm: t("applications:delete.confirm"),
            keep: t("applications:delete.keep"),
            close: t("close"),
          }}
          onConfirm={() => void confirm()}
          onClose={() => setAsked(false)}
        >
          <p>{t("applications:delete.body")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

type PartsProps = ActsProps & { whole: Whole };

function Parts({ application, whole, stages, readOnly }: PartsProps) {
  const { applicationId } = application;
  return (
    <div className="one-application">
      <Timeline application={application} whole={whole} stages={stages} readOnly={readOnly} />
      <div className="application__parts">
        <Reminders applicationId={applicationId} reminders={whole.reminders} readOnly={readOnly} />
        <Details application={application} readOnly={readOnly} />
        <SentWith application={application} readOnly={readOnly} />
        <Contacts application={application} readOnly={readOnly} />
        <Files applicationId={applicationId} files={whole.files} readOnly={readOnly} />
      </div>
    </div>
  );
}

/** What it is for, and how long it has stood where it stands. */
function Lead({ application, now }: { application: Application; now: number }) {
  const { inStage } = useTrackerTexts();
  const { role } = application.details;
  return (
    <>
      {role !== "" && (
        <>
          <bdi>{role}</bdi>
          {" · "}
        </>
      )}
      {inStage(application.stageSince, now)}
    </>
  );
}

/** The application as the list of all holds it, which every view shows; else as its own answer does. */
const useApplication = (applicationId: string) => {
  const query = useQuery(wholeQuery(applicationId));
  const { data: tracker, dataUpdatedAt } = useQuery(trackerQuery);
  const listed = tracker?.applications.find((one) => one.applicationId === applicationId);
  return {
    query,
    application: listed ?? query.data?.application,
    stages: tracker?.stages ?? [],
    readOnly: tracker?.included !== true,
    now: Math.max(query.dataUpdatedAt, dataUpdatedAt),
  };
};

/** One application: what happened, what comes next, and all that belongs to it. */
export function ApplicationPage() {
  const { t } = useTranslation(["application", "applications"]);
  const { applicationId = "" } = useParams();
  const { query, application, stages, readOnly, now } = useApplication(applicationId);
  const { texts, describe } = useViewTexts(t("loading"));
  return (
    <>
      <PageHeader
        breadcrumb={<Link to="/applications">{t("applications:title")}</Link>}
        title={<bdi>{application?.details.company ?? t("applications:one")}</bdi>}
        lead={application && <Lead application={application} now={now} />}
        actions={
          application && <Acts application={application} stages={stages} readOnly={readOnly} />
        }
      />
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="block" count={3} />}
        isEmpty={() => false}
        empty={{ title: t("loading") }}
        describe={(cause) =>
          isUnknown(cause)
            ? { title: t("unknown.title"), body: t("unknown.body"), denied: true }
            : describe(cause)
        }
      >
        {(whole) => (
          <Parts
            application={application ?? whole.application}
            whole={whole}
            stages={stages}
            readOnly={readOnly}
          />
        )}
      </DataView>
    </>
  );
}
