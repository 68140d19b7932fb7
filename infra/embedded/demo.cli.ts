import { parseArgs } from "node:util";

import { demoCode } from "@pro-talent/accounts/demo";
import { operatorClock, printLine } from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";

import { describeDemo, makeDemo, removeDemo } from "./demo-world.ts";
import { readEnvironment } from "./env.ts";
import { productServices } from "./services/product-services.ts";

/**
 * The demo of the running instance: invented people with six months behind them.
 *
 *     npm run demo               their sign-ins; makes them if there are none
 *     npm run demo -- --codes    and what their authenticators show now
 *     npm run demo -- --reset    removes them, as far as possible, and makes them anew
 */
await runCommand(async () => {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({ options: { codes: flag, reset: flag } });
  const { dataDir } = readEnvironment();
  if (values.reset) {
    for (const line of await removeDemo(dataDir, productServices)) printLine(`  ${line}`);
  }
  const demo = await makeDemo(dataDir, productServices);
  printLine(describeDemo(demo));
  const nowMs = operatorClock({ ...process.env, DATA_DIR: dataDir })();
  for (const { email, totpSecret } of values.codes ? demo.people : []) {
    if (totpSecret === null) continue;
    const { code, seconds, setUpKey } = demoCode(totpSecret, nowMs);
    printLine(`  ${email.padEnd(28)}${code}  for ${seconds} s   set-up key ${setUpKey}`);
  }
  return 0;
});
