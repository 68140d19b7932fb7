/**
 * Stands in built documents where their own address belongs. The prerenderer writes it, because a
 * build serves any address; the site service puts its public origin there.
 */
export const originPlaceholder = "__PUBLIC_ORIGIN__";
