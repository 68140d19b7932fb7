import { fileURLToPath } from "node:url";

import { z } from "zod";

import { type FileStore, openDirectoryStore } from "./file-store.ts";
import { openS3Store } from "./s3-store.ts";

/** Where a service stores files. */
export const fileStoreEnv = {
  /**
   * A directory as `file:///var/lib/files`, or a bucket of S3 with a folder in it as
   * `s3+https://s3.eu-central-1.amazonaws.com/bucket/folder` (`s3+http` within a private network).
   */
  FILES_URL: z.url({ protocol: /^(?:file|s3\+https?)$/u }).optional(),
  /** Of the bucket; stores that have no regions take any. */
  FILES_REGION: z.string().default("us-east-1"),
  FILES_ACCESS_KEY_ID: z.string().default(""),
  FILES_SECRET_ACCESS_KEY: z.string().default(""),
};

type Settings = z.output<z.ZodObject<typeof fileStoreEnv>>;

/** @throws Error for a bucket without credentials */
export function openFileStore(settings: Settings): FileStore {
  const { FILES_URL: url, FILES_REGION: region } = settings;
  const { FILES_ACCESS_KEY_ID: accessKeyId, FILES_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (url === undefined) return closedStore;
  if (url.startsWith("file:")) return openDirectoryStore(fileURLToPath(url));
  if (accessKeyId === "" || secretAccessKey === "")
    throw new Error("A bucket needs FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY");
  const bucketUrl = url.slice("s3+".length);
  return openS3Store({ bucketUrl, region, accessKeyId, secretAccessKey });
}

/** Without a place for files nothing else is refused. */
const closedStore: FileStore = {
  write: async () => await Promise.reject(new Error("FILES_URL names no place for files")),
  read: async () => undefined,
  remove: async () => undefined,
  list: async function* list() {},
};
