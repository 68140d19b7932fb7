import { type Agent, type IncomingMessage, type ServerResponse } from "node:http";
export type Upstream = {
    host: string;
    port: number;
};
export type Exchange = {
    request: IncomingMessage;
    response: ServerResponse;
    agent: Agent;
    upstream: Upstream;
    /** Larger bodies are refused here. */
    bodyBytesMax: number;
};
/**
 * Passes a request on to a service, and its answer back. A body that is too large is refused here,
 * where the rest of it can be read and dropped: a service closes the connection at once, and a
 * client that is still sending would lose the answer (RFC 9112 §9.6).
 */
export declare function forward(exchange: Exchange): void;
