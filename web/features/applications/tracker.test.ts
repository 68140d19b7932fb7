import fc from "fast-check";
import { expect, test } from "vitest";

import { columnsOf, movedLocally, placeAfter, stepOf } from "./board/board-order.ts";
import { dayAfterKey, weeksOf } from "./calendar/calendar-month.ts";
import { timelineOf } from "./one/timeline-of.ts";
import type { Application, Note, Stage } from "./queries.ts";
import { filtered, isWaiting, trackerSearchIn, withoutFilters } from "./search.ts";
