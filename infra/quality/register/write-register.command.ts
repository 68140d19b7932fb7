import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { register } from "./register.ts";
import { renderRegister } from "./render-register.ts";

const path = fileURLToPath(new URL("../../docs/store-register.md", import.meta.url));
writeFileSync(path, renderRegister(register));
