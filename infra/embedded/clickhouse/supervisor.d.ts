type Options = {
  dataDir: string;
  password: string;
  onLog: (line: string) => void;
};
/** Keeps one engine process alive: the same port, password and data after every crash. */
export declare class Supervisor {
  #private;
  constructor(options: Options, port: number);
  get port(): number;
  get pid(): number | undefined;
  /** How often a process that had been ready was replaced. */
  get restarts(): number;
  /**
   * Starts the engine for the first time.
   * @throws when it told why it can't, or crashed repeatedly; the message holds its reason and its last lines
   */
  start(): Promise<void>;
  /** Ends the engine in an orderly way; running statements may finish first. */
  stop(): Promise<void>;
}
export {};
