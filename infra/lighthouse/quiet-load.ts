/**
 * Above this share a load says more about the host than about the page. A phone is simulated by making
 * everything four times as slow, what the host took included.
 */
const percentTakenMost = 3;
/** Then the host is as it is. */
const repeatsMost = 5;

/**
 * Loads until the host has left the processors to it. Which load counts depends on the host alone,
 * never on what the load showed.
 * @returns the load that counts, and what was taken from those before it, in percent
 */
export async function quietLoad<Load extends { percentTaken: number }>(
  loadOnce: () => Promise<Load>,
): Promise<{ load: Load; repeated: readonly number[] }> {
  const repeated: number[] = [];
  for (;;) {
    const load = await loadOnce();
    if (load.percentTaken <= percentTakenMost || repeated.length === repeatsMost) {
      return { load, repeated };
    }
    repeated.push(load.percentTaken);
  }
}
