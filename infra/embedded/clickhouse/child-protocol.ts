/** Messages between the supervising process and the engine's process. */
export type StartMessage = { kind: "start"; dataDir: string; port: number; password: string };
export type StopMessage = { kind: "stop" };
export type ReadyMessage = { kind: "ready"; port: number };
export type FailedMessage = { kind: "failed"; message: string };

function fieldsOf(value: unknown): Map<string, unknown> {
  return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
}

/** Reads a message of the supervisor. */
export function readCommand(value: unknown): StartMessage | StopMessage {
  const fields = fieldsOf(value);
  const [kind, dataDir, port, password] = ["kind", "dataDir", "port", "password"].map((key) =>
    fields.get(key),
  );
  if (kind === "stop") return { kind };
  const known =
    typeof dataDir === "string" && typeof port === "number" && typeof password === "string";
  if (kind === "start" && known) return { kind, dataDir, port, password };
  throw new Error("An unknown command came from the supervisor");
}

/** Reads a message of the engine's process. */
export function readReport(value: unknown): ReadyMessage | FailedMessage {
  const fields = fieldsOf(value);
  const [kind, port, message] = ["kind", "port", "message"].map((key) => fields.get(key));
  if (kind === "ready" && typeof port === "number") return { kind, port };
  if (kind === "failed" && typeof message === "string") return { kind, message };
  throw new Error("An unknown report came from the engine");
}
