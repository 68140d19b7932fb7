/**
 * Ends a foreign program when this process dies, `kill -9` included. A tiny shell waits on a pipe
 * whose other end only this process holds; at its end it signals the program. (Programs that are
 * not Node have no IPC channel to notice it by themselves.)
 * @returns cuts the lifeline without signalling, for when the program has ended
 */
export declare function tieToThisProcess(pid: number, signal: "INT" | "TERM"): () => void;
