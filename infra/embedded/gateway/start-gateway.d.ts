import { type Upstream } from "./forward.ts";
export type GatewayOptions = {
    /** Port of the one origin; 0 takes a free one. */
    port: number;
    /** Paths below a prefix go to its upstream; the first that fits counts, `/` fits everything. */
    routes: readonly Route[];
};
export type Route = {
    prefix: string;
    upstream: Upstream;
    bodyBytesMax: number;
};
export type Gateway = {
    origin: string;
    port: number;
    close: () => Promise<void>;
};
/**
 * One origin in front of all services, on loopback. Bodies are streamed both ways and headers pass
 * untouched, except that forwarding headers are set here and never taken from the client. Paths
 * between services (`/internal`, `/metrics`) do not exist here. A service that cannot be reached is
 * answered for with a 503 problem `upstream_unavailable`.
 * @throws when the port is taken
 */
export declare function startGateway(options: GatewayOptions): Promise<Gateway>;
