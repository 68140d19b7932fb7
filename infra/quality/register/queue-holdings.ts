import { fields, type Holding } from "./classes.ts";

