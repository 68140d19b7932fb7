import { fields, type Holding } from "./classes.ts";

/** What services write to their logs. Nothing here is about a person. */
export const logHoldings: Holding[] = [
  {
    store: "log",
    name: "service log",
    purpose: "Seeing what a service does and why it fails",
    retention: "By the machine that runs it; three files of ten megabytes in the containers",
    fields: fields({
      operational: {
        level: "How serious",
        time: "When",
        service: "Which service",
        msg: "What, in fixed words",
        err: "Class, code and place of an error, never its message",
        requestId: "Names one request, in its answer too",
        route: "Pattern of the route, not the path",
        status: "Status of an answer",
        step: "Which step of the shutdown",
        projection: "Which projection",
        segments: "How many segments of the spool",
        segment: "Which segment of the spool",
        repaired: "Which tables were given a segment again",
        head: "Which kind of records",
        rows: "How many rows",
        records: "How many records",
        bytes: "How many bytes",
        attempt: "Which attempt",
        job: "Which kind of job",
        outboxId: "Which message of the outbox",
        timer: "Which kind of clock",
        backlog: "How much waits for ClickHouse",
      },
    }),
  },
];
