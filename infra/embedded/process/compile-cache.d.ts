/** Where Node keeps compiled modules, so that programs start faster the next time. */
export declare const compileCache: string;
