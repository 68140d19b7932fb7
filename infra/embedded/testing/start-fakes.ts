import { runStart } from "../run-start.ts";
import type { Engine } from "../services/service-definition.ts";
import { fakeProgram, twoServices } from "./fake-services.ts";

/** `npm start` with small services; the engines that they need are named in the arguments. */
const known: readonly Engine[] = ["postgres", "clickhouse"];
const needs = known.filter((engine) => process.argv.includes(engine));
const services = twoServices().map((service) => ({ ...service, needs }));
process.exit(await runStart({ services, program: fakeProgram }));
