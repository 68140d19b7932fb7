import type { FileStore } from "@pro-talent/platform/files/file-store";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import {
  callService,
  readServiceFile,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import type { TargetBody } from "@pro-talent/schemas/links/calls";
import type { LinkFile } from "@pro-talent/schemas/links/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { cvProblems } from "@pro-talent/schemas/studio/calls";
import { internalCvFileCalls } from "@pro-talent/schemas/studio/internal-calls";

import type { LedgerContext } from "../../kernel/module.ts";
import { includesCurrentCv } from "../../plans-in-use.ts";
import { readFileOf, storeFile, type Upload } from "./stored-files.ts";

type CvOf = { readonly accountId: string; readonly cvId: string };

/** The studio, as links ask it. */
export type CvFiles = {
  /** The current version of a CV, and the name of its file. @throws ProblemError when there is no such CV */
  readonly find: (cv: CvOf) => Promise<{ readonly version: number; readonly fileName: string }>;
  /** The PDF of a version; null for the current one. @throws ProblemError */
  readonly pdf: (cv: CvOf, version: number | null) => Promise<Buffer>;
};

/** Asks the studio. */
export function cvFilesOver(studio: ServiceAddress): CvFiles {
  const call = callService(studio, internalCvFileCalls);
  return {
    find: async ({ accountId, cvId }) => {
      const name = "GET /internal/cvs/of/:accountId/cvs/:cvId";
      return await call(name, { params: { accountId, cvId } }).catch(refusedAs("cv_not_found"));
    },
    pdf: async ({ accountId, cvId }, version) => {
      const base = `/internal/cvs/of/${accountId}/cvs/${cvId}`;
      const path = version === null ? `${base}/pdf` : `${base}/versions/${version}/pdf`;
      return await readServiceFile(studio, path).catch(refusedAs("version_not_found"));
    },
  };
}

const refusedAs =
  (missing: "cv_not_found" | "version_not_found") =>
  (error: unknown): never => {
    if (!(error instanceof ServiceRefusal)) throw new ProblemError("upstream_unavailable");
    if (error.status === 404) throw new ProblemError(cvProblems[missing]);
    if (error.status === 422) throw new ProblemError(cvProblems.cv_not_drawn);
    throw new ProblemError("upstream_unavailable", { cause: error });
  };

/** What files of CVs are stored and opened with. */
type Parts = {
  readonly cvFiles: CvFiles;
  readonly context: Pick<LedgerContext, "ledger" | "clock" | "log">;
  readonly files: FileStore;
};

type CvTarget = Extract<TargetBody, { kind: "cv" }>;

/**
 * The PDF of a CV to store for a link. Of a link to the current version, which a plan has to include, it is what is
 * shown while the studio does not answer, and once the plan has ended or the CV is deleted.
 * @throws ProblemError
 */
async function cvUpload(
  { cvFiles, context }: Parts,
  accountId: string,
  { cvId, version }: CvTarget,
): Promise<Upload & { readonly cv: NonNullable<LinkFile["cv"]> }> {
  const { version: current, fileName: name } = await cvFiles.find({ accountId, cvId });
  const shown = version ?? current;
  const content = await cvFiles.pdf({ accountId, cvId }, shown);
  const isFollowed = version === null && (await followsCurrent(context, accountId));
  return { name, content, cv: { cvId, version: isFollowed ? null : shown } };
}

const followsCurrent = ({ ledger, clock }: Parts["context"], accountId: string) =>
  includesCurrentCv(ledger.sql, accountId, instantFromMs(clock()));

/** What a link to a file opens now. */
export async function openedFile(
  { cvFiles, context, files }: Parts,
  accountId: string,
  file: LinkFile,
): Promise<Buffer | undefined> {
  if (file.cv?.version === null && (await followsCurrent(context, accountId))) {
    const { cvId } = file.cv;
    const current = await cvFiles.pdf({ accountId, cvId }, null).catch((error: unknown) => {
      context.log.warn({ err: error }, "a link shows an earlier file of a CV");
      return undefined;
    });
    if (current !== undefined) return current;
  }
  return await readFileOf(files, file);
}

/** Stores a file of the owner's, or that of a CV. */
export async function storeTarget(
  routes: Parts,
  accountId: string,
  target: Extract<TargetBody, { kind: "file" | "cv" }>,
): ReturnType<typeof storeFile> {
  if (target.kind === "file") {
    const content = Buffer.from(target.content, "base64");
    return await storeFile(routes.files, { name: target.name, content });
  }
  const { cv, ...upload } = await cvUpload(routes, accountId, target);
  const stored = await storeFile(routes.files, upload);
  return "fault" in stored ? stored : { file: { ...stored.file, cv } };
}
