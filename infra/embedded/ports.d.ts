/** Lets ports be handed out again once nothing of their instance listens on them any more. */
export declare function giveBackPorts(ports: Iterable<number>): void;
/** Whether a TCP port can be listened on at an address right now. */
export declare function isPortFree(port: number, host?: string): Promise<boolean>;
/**
 * A free loopback port that this process has not handed out before.
 * @param preferred taken when it is free, so that addresses survive a restart
 */
export declare function choosePort(preferred?: number): Promise<number>;
