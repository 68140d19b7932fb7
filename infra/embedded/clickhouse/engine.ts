import { mkdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import {
  type NativeAddon,
  type NativeConnection,
  type NativeResult,
  type NativeWrite,
  loadNativeAddon,
} from "./native-addon.ts";

/**
 * The engine starts as a command-line tool would: a bare expression is a query, and stack symbols
 * can be read. A server has both off.
 */
const SERVER_LIKE = ["--implicit_select=0", "--allow_introspection_functions=0"] as const;

const NO_DATA = Buffer.alloc(0);

/** How long a process that is ending may take to release the data directory. */
const LOCK_WAIT_MS = 15_000;
const RETRY_MS = 25;

/**
 * One connection with settings and parameters of its own. One statement at a time; what the engine
 * refuses rejects with the addon's error.
 */
export class EngineConnection {
  readonly #addon: NativeAddon;
  readonly #native: NativeConnection;

  readonly #onClose: () => void;

  constructor(
    addon: NativeAddon,
    dataDir: string,
    options: readonly string[],
    onClose: () => void = () => undefined,
  ) {
    this.#addon = addon;
    this.#native = addon.CreateConnection(dataDir, [...SERVER_LIKE, ...options]);
    this.#onClose = onClose;
  }

  /** Runs a statement and returns its whole output. */
  query(sql: string, format = "TabSeparated"): Promise<NativeResult> {
    return this.#addon.QueryAsyncConnection(this.#native, sql, format);
  }

  /** Runs a statement that writes and returns how much it wrote. */
  write(sql: string): Promise<NativeWrite> {
    return this.#addon.InsertRawAsyncConnection(this.#native, sql, NO_DATA, false);
  }

  /** How many statements the engine's own parser sees in a text; 0 when it can't read it. */
  async countStatements(sql: string): Promise<number> {
    const { statementCount } = await this.#addon.DurableClassifyAsync(this.#native, sql);
    return statementCount;
  }

  /** Releases it. Only once, and when no statement of this connection runs. */
  close(): void {
    this.#addon.CloseConnection(this.#native);
    this.#onClose();
  }
}

/** The engine of this process. It has one data directory and any number of connections. */
export class Engine {
  readonly #addon: NativeAddon;
  readonly #dataDir: string;
  #options: readonly string[];
  #root: EngineConnection;
  #isOpen = true;
  #connections = 0;

  private constructor(addon: NativeAddon, dataDir: string, options: readonly string[]) {
    this.#addon = addon;
    this.#dataDir = dataDir;
    this.#options = options;
    this.#root = new EngineConnection(addon, dataDir, options);
  }

  /** The connection that keeps the engine running; for the engine's own statements. */
  get root(): EngineConnection {
    return this.#root;
  }

  /**
   * Opens a data directory and takes its lock. Waits while a process that is about to end still
   * holds it (the engine gives no reason beyond its log, so every failure is tried again).
   * @param options of the engine, besides its own
   * @throws when it can't be opened in time
   */
  static async open(dataDir: string, options: readonly string[] = []): Promise<Engine> {
    mkdirSync(dataDir, { recursive: true });
    const addon = loadNativeAddon();
    const deadline = performance.now() + LOCK_WAIT_MS;
    for (;;) {
      try {
        return new Engine(addon, dataDir, options);
      } catch (error) {
        if (performance.now() > deadline) throw error;
      }
      await delay(RETRY_MS);
    }
  }

  /** A fresh connection (0.2 ms) with default settings. */
  connect(): EngineConnection {
    this.#connections += 1;
    const onClose = (): void => void (this.#connections -= 1);
    return new EngineConnection(this.#addon, this.#dataDir, this.#options, onClose);
  }

  /**
   * Closes the engine and opens it with other options, once the last connection is closed. None may be
   * opened meanwhile. Tables that are in memory alone are lost.
   * @throws when it does not open with them
   */
  async reopen(options: readonly string[]): Promise<void> {
    while (this.#connections > 0) await delay(1);
    if (this.#isOpen) this.#root.close();
    this.#isOpen = false;
    this.#options = options;
    this.#root = new EngineConnection(this.#addon, this.#dataDir, options);
    this.#isOpen = true;
  }

  /** Shuts the engine down and releases the data directory, once all other connections are closed. */
  close(): void {
    this.root.close();
  }
}
