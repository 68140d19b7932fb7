/** Where the programs and libraries of one Postgres are (`native` holds bin, lib and share). */
export type Binaries = {
    native: string;
    initdb: string;
    postgres: string;
};
/** The programs inside a `native` folder. */
export declare function binariesIn(native: string): Binaries;
/**
 * Finds the Postgres that npm installed for this operating system and processor, and completes it:
 * npm packages cannot hold symbolic links, so that the links between library names are made by an
 * install script, which not everyone lets run.
 * @throws when there is no such package, or it is incomplete and read-only
 */
export declare function findBinaries(): Promise<Binaries>;
