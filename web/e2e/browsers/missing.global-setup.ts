import { surveyEngines } from "./installed-browsers.ts";

/** Says before and after all tests which engines were not tested. */
export function setup(): () => void {
  const say = (): void => {
    for (const sentence of surveyEngines().missing) process.stderr.write(`\n${sentence}\n`);
  };
  say();
  return say;
}
