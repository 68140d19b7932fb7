import type { Example } from "../example.ts";
import { Skeleton } from "./skeleton.tsx";

export const examples: readonly Example[] = [
  {
    name: "a title and three lines",
    draw: () => (
      <div>
        <Skeleton shape="title" />
        <Skeleton count={3} />
      </div>
    ),
  },
  {
    name: "rows of a table",
    draw: () => (
      <div>
        <Skeleton shape="row" count={3} />
      </div>
    ),
  },
  {
    name: "a chart",
    draw: () => (
      <div>
        <Skeleton shape="block" />
      </div>
    ),
  },
];
