import { Server, Socket } from "node:net";

import { Gateway, type Route } from "../gateway/dispatch.ts";
import { PUBLIC_PORT, WAITING_CONNECTION } from "../gateway/public-port.ts";

/** Takes over a public port and answers there with what it was sent, until it is killed. */
const gateway = new Gateway();
process.on("message", (text, handle) => {
  if (text === WAITING_CONNECTION && handle instanceof Socket) gateway.take(handle);
  if (text !== PUBLIC_PORT || !(handle instanceof Server)) return;
  const echo: Route = { prefix: "/", handle: (request, response) => request.pipe(response) };
  void gateway.listen(handle, [echo]).then(() => process.send?.("accepted"));
});
process.send?.("ready");
