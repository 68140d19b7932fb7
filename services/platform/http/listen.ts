import type { FastifyInstance } from "fastify";

/** Listens and tells the parent process, if there is one, on which port. */
export async function listen(
  app: FastifyInstance,
  address: { HOST: string; PORT: number },
): Promise<string> {
  const url = await app.listen({ host: address.HOST, port: address.PORT });
  process.send?.({ type: "listening", url });
  return url;
}
