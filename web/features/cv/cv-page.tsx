import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router-dom";

import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../account-query.ts";
import { useViewTexts } from "../view-texts.ts";
import { cvQuery, isUnknown } from "./cv-queries.ts";
import { Editor } from "./editor.tsx";

import "../documents/documents.css";
import "./cv.css";
import "../documents/edit/form.css";
import "./cv-look.css";
import "./cv-panels.css";

/** One CV, edited beside its page. */
export function CvPage() {
  const { t } = useTranslation("cv");
  const { cvId = "" } = useParams();
  const cv = useQuery({ ...cvQuery(cvId), refetchOnWindowFocus: false });
  const { accountId } = useAccount();
  const { texts, describe } = useViewTexts(t("loadingOne"));
  if (cv.data !== undefined)
    return (
      <Editor key={cvId} cv={cv.data.cv} accountId={accountId} isOld={!cv.isFetchedAfterMount} />
    );
  return (
    <>
      <PageHeader breadcrumb={<Link to="/cv">{t("title")}</Link>} title={t("one")} />
      <DataView
        query={cv}
        texts={texts}
        skeleton={<Skeleton shape="block" count={2} />}
        isEmpty={() => false}
        empty={{ title: "" }}
        describe={(cause) =>
          isUnknown(cause)
            ? { title: t("unknown.title"), body: t("unknown.body"), denied: true }
            : describe(cause)
        }
      >
        {() => null}
      </DataView>
    </>
  );
}
