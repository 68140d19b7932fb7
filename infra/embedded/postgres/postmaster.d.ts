/** Whether the postmaster `pid` of this cluster accepts connections, as it says itself. */
export declare function isPostmasterReady(cluster: string, pid: number): Promise<boolean>;
/**
 * Ends what an earlier owner of the cluster left behind when it was killed: its postmaster, or the
 * remains of one. The caller holds the lock of the data directory, so that nobody else uses it.
 * @param cluster real path of the cluster
 */
export declare function endLeftoverPostmaster(cluster: string): Promise<void>;
