/** One file per process under `directory`; at the start a large one becomes `<name>.log.1`. */
export declare class LogFiles {
    #private;
    private constructor();
    /** @param names of the processes that will write */
    static open(directory: string, names: readonly string[]): Promise<LogFiles>;
    write(name: string, line: string): void;
    close(): Promise<void>;
}
