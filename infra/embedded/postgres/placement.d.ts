import type { Identity } from "../process/process-spec.ts";
import { type Binaries } from "./binaries.ts";
/** Where a cluster lives, and as whom and from where its programs run. */
export type Placement = {
    home: string;
    binaries: Binaries;
    identity: Identity | undefined;
};
/**
 * Decides how Postgres runs here. For an ordinary user: as that user, in `dataDir`. Postgres
 * refuses to run as root, so that root runs it as another user; where that user may not enter
 * (a checkout in /root, say), cluster and programs are kept in /var/lib/pro-talent, with a
 * link `dataDir/elsewhere` to the cluster.
 * @param dataDir real path of an existing directory
 */
export declare function placeCluster(dataDir: string, binaries: Binaries): Promise<Placement>;
