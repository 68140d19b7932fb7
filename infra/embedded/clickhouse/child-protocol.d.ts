/** Messages between the supervising process and the engine's process. */
export type StartMessage = {
  kind: "start";
  dataDir: string;
  port: number;
  password: string;
};
export type StopMessage = {
  kind: "stop";
};
export type ReadyMessage = {
  kind: "ready";
  port: number;
};
export type FailedMessage = {
  kind: "failed";
  message: string;
};
/** Reads a message of the supervisor. */
export declare function readCommand(value: unknown): StartMessage | StopMessage;
/** Reads a message of the engine's process. */
export declare function readReport(value: unknown): ReadyMessage | FailedMessage;
