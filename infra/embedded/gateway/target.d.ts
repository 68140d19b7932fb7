export type Target = {
    /** The path as a service would understand it: decoded, without dot segments or empty ones. */
    path: string;
    isPrivate: boolean;
};
/**
 * Reads a request target (RFC 9112 §3.2). Routing and refusal go by the path that a service could
 * make of it, so that no spelling (`//internal`, `/%69nternal`, `/x/../internal`) slips through.
 */
export declare function readTarget(url: string): Target | "malformed";
