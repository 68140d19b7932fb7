/** Awaits a part of the start; `NODE_DEBUG=start` shows how long each one took. */
export declare function timed<Result>(part: string, work: Promise<Result>): Promise<Result>;
