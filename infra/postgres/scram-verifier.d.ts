/**
 * The form in which PostgreSQL keeps a password (RFC 5803, RFC 7677): the password itself is never
 * sent to the server, and so never in its log or its statistics.
 * @param password printable ASCII; other characters would need SASLprep (RFC 4013)
 */
export declare function scramVerifier(password: string, salt?: Buffer): string;
/** Whether a verifier, as PostgreSQL keeps it, was made from this password. */
export declare function matchesVerifier(password: string, verifier: string): boolean;
