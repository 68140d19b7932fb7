import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { reportReasons } from "./report-reasons.ts";

/** What a link leads to: a file of the owner's, the owner's public page, or an address elsewhere. */
export const linkTargets = ["file", "profile", "external"] as const;

export const fileKinds = ["pdf", "docx"] as const;
export type FileKind = (typeof fileKinds)[number];

/** Events of a link stream (`link-<linkId>`), free of personal data. The id follows from the code. */
export const LinkCreated = z.object({
  type: z.literal("LinkCreated"),
  data: z.object({
    accountId: Uuid,
    /** The owner chose the code. */
    custom: z.boolean(),
  }),
});

/** What the link is from now on; its words are sealed beside it ({@link LinkDetails}). */
export const LinkDescribed = z.object({
  type: z.literal("LinkDescribed"),
  data: z.object({
    target: z.enum(linkTargets),
    /** The stored file, of a link to one. */
    fileId: Uuid.nullable(),
    /** Whether a password is asked for. */
    locked: z.boolean(),
    expiresAt: Instant.nullable(),
  }),
});
export type LinkDescribed = z.infer<typeof LinkDescribed>;

export const LinkEvent = z.discriminatedUnion("type", [
  LinkCreated,
  LinkDescribed,
  /** By its owner, until it is restored. */
  z.object({ type: z.literal("LinkRevoked"), data: z.object({}) }),
  z.object({ type: z.literal("LinkRestored"), data: z.object({}) }),
  z.object({
    type: z.literal("LinkReported"),
    data: z.object({ reason: z.enum(reportReasons) }),
  }),
  /** By an administrator, whatever its owner does. */
  z.object({
    type: z.literal("LinkTakenDown"),
    data: z.object({ reason: z.enum(reportReasons) }),
  }),
  z.object({ type: z.literal("LinkReinstated"), data: z.object({}) }),
  /** By its owner, or with the account: the key of its details and its file are destroyed. */
  z.object({
    type: z.literal("LinkErased"),
    data: z.object({ reason: z.enum(["deleted", "account-closed"]) }),
  }),
]);
export type LinkEvent = z.infer<typeof LinkEvent>;

/** An uploaded file: its content is stored under `key`, encrypted. */
export const LinkFile = z.object({
  fileId: Uuid,
  name: z.string(),
  kind: z.enum(fileKinds),
  /** Of the content. */
  bytes: z.int(),
  /** 32 bytes in base64; nothing else opens the file. */
  key: z.base64(),
  /** Of a file that was made of a CV: its version, or null for the current one, which is asked for when it is opened. */
  cv: z.object({ cvId: Uuid, version: z.int().nullable() }).exactOptional(),
});
export type LinkFile = z.infer<typeof LinkFile>;

/** The personal part of a link, sealed under a key of the link's own (`LinkDescribed`). */
export const LinkDetails = z.object({
  code: z.string(),
  label: z.string(),
  note: z.string(),
  /** Of a link elsewhere. */
  url: z.string().nullable(),
  file: LinkFile.nullable(),
  /** Argon2id, in the PHC string format. */
  passwordHash: z.string().nullable(),
});
export type LinkDetails = z.infer<typeof LinkDetails>;
