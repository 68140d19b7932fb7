/** Whether a GET is answered with a 2xx within a second. */
export async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok === true;
}
