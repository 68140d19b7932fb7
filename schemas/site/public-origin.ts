/**
 * Marks the place of a built document's own address. The prerenderer writes it, because a build
 * serves any address; the site service replaces it with its public origin.
 */
export const originPlaceholder = "__PUBLIC_ORIGIN__";
