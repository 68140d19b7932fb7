/**
 * Replaces a file as a whole, readable for its owner only: whoever reads it sees the old or the new
 * content, never half of it.
 */
export declare function writePrivateFile(file: string, content: string): Promise<void>;
