import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { cvCalls } from "@pro-talent/schemas/studio/calls";

import type { StudioContext } from "./context.ts";
import {
  findCv,
  findVersion,
  lockCv,
  openDocument,
  sealName,
  type VersionRow,
  versionSummary,
} from "./cv-rows.ts";

type VersionCalls = Pick<
  typeof cvCalls,
  | "GET /api/cvs/:cvId/versions"
  | "GET /api/cvs/:cvId/versions/:version"
  | "PATCH /api/cvs/:cvId/versions/:version"
>;

/** The history of a CV. */
export function versionHandlers({ sql, keys }: StudioContext): CallHandlers<VersionCalls> {
  return {
    "GET /api/cvs/:cvId/versions": async (
      { params },
      { account: { accountId }, refuse, reads },
    ) => {
      const { cv_id: cvId } =
        (await findCv(reads, { accountId, ...params })) ?? refuse("cv_not_found");
      const sealer = await keys.sealerOf(reads, accountId);
      const rows = await reads<Pick<VersionRow, "version" | "saved_at" | "sealed_name">[]>`
        select version, saved_at, sealed_name from studio.cv_version
         where cv_id = ${cvId} and account_id = ${accountId} order by version desc`;
      return { versions: rows.map((row) => versionSummary(sealer, cvId, row)) };
    },
    "GET /api/cvs/:cvId/versions/:version": async (
      { params: { cvId, version } },
      { account: { accountId }, refuse },
    ) => {
      const cv = (await findCv(sql, { accountId, cvId })) ?? refuse("cv_not_found");
      const row = (await findVersion(sql, cv, version)) ?? refuse("version_not_found");
      const sealer = await keys.sealerOf(sql, accountId);
      const document = openDocument(sealer, cv, row);
      return { version: versionSummary(sealer, cvId, row), document };
    },
    "PATCH /api/cvs/:cvId/versions/:version": async (
      { params: { cvId, version }, body: { name } },
      { account: { accountId }, refuse },
    ) =>
      sql.begin(async (tx) => {
        const cv = (await lockCv(tx, { accountId, cvId })) ?? refuse("cv_not_found");
        const row = (await findVersion(tx, cv, version)) ?? refuse("version_not_found");
        const sealer = await keys.sealerOf(tx, accountId);
        const sealed = name === null ? null : sealName(sealer, name, cvId, version);
        await tx`
          update studio.cv_version set sealed_name = ${sealed}
           where cv_id = ${cvId} and account_id = ${accountId} and version = ${version}`;
        return { version: versionSummary(sealer, cvId, { ...row, sealed_name: sealed }) };
      }),
  };
}
