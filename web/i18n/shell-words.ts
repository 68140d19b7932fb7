/** The namespaces that every page needs; the others come with the page that names them. */
export const shellWords = ["shell", "consent", "newsletter"] as const;
