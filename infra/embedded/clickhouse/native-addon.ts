import { createRequire } from "node:module";

/** An open connection inside the engine; only the addon can look into it. */
export type NativeConnection = { readonly __nativeConnection: never };

/** What the addon reports about a finished query. Rows and bytes are those of the result. */
export type NativeResult = { bytes: Uint8Array; rowsRead: number; bytesRead: number };

/** What the addon reports about a finished write, rows pushed into materialised views included. */
export type NativeWrite = { rowsWritten: number; bytesWritten: number };

/**
 * The part of chDB's native addon that is used here. The package's `Session` wraps the same calls,
 * but defers closing a connection until every query of the process has ended, wherever it runs, and
 * offers neither the written rows nor the classification.
 */
export type NativeAddon = {
  CreateConnection(path: string, settings: readonly string[]): NativeConnection;
  CloseConnection(connection: NativeConnection): void;
  QueryAsyncConnection(
    connection: NativeConnection,
    sql: string,
    format: string,
  ): Promise<NativeResult>;
  InsertRawAsyncConnection(
    connection: NativeConnection,
    sql: string,
    data: Buffer,
    countLines: boolean,
  ): Promise<NativeWrite>;
  /** How the engine's own parser understands a text. */
  DurableClassifyAsync(
    connection: NativeConnection,
    sql: string,
  ): Promise<{ statementCount: number }>;
};

const CALLS = [
  "CreateConnection",
  "CloseConnection",
  "QueryAsyncConnection",
  "InsertRawAsyncConnection",
  "DurableClassifyAsync",
] as const;

function isNativeAddon(value: unknown): value is NativeAddon {
  return (
    typeof value === "object" &&
    value !== null &&
    CALLS.every((name) => typeof Reflect.get(value, name) === "function")
  );
}

/**
 * Loads the addon of this platform.
 * @throws when the platform has none, or when the installed version lacks a call used here
 */
export function loadNativeAddon(): NativeAddon {
  const requireHere = createRequire(import.meta.url);
  const loader: unknown = createRequire(requireHere.resolve("chdb"))("./dist/loader.js");
  const load: unknown =
    typeof loader === "object" && loader !== null ? Reflect.get(loader, "loadNative") : undefined;
  const addon: unknown =
    typeof load === "function" ? Reflect.apply(load, undefined, []) : undefined;
  if (!isNativeAddon(addon)) throw new Error("The installed chdb package is not the expected one");
  return addon;
}
