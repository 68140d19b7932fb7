import type { Application, Stage } from "@pro-talent/schemas/applications/application";
import { applicationCalls } from "@pro-talent/schemas/applications/calls";

import type { Applicant } from "./tracker-service.ts";

const Listed = applicationCalls["GET /api/applications"].answer;
const Added = applicationCalls["POST /api/applications"].answer;
const Whole = applicationCalls["GET /api/applications/:applicationId"].answer;

/** All applications of an applicant, with the pipeline. */
export const list = async ({ send }: Applicant) =>
  Listed.parse((await send("GET", "/api/applications")).json());

/** The companies of a stage, in their order. */
export const namesIn = async (applicant: Applicant, stage: Stage | undefined) =>
  (await list(applicant)).applications
    .filter(({ stageId }) => stageId === stage?.stageId)
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .map(({ details }) => details.company);

/** Adds applications to companies in one call. */
export async function add(
  { send }: Applicant,
  ...companies: readonly string[]
): Promise<Application[]> {
  const applications = companies.map((company) => ({ details: { company, role: "Designer" } }));
  return Added.parse((await send("POST", "/api/applications", { applications })).json())
    .applications;
}

/** Adds an application. @returns its id */
export async function addOne(applicant: Applicant): Promise<string> {
  const [application] = await add(applicant, "Acme");
  return application?.applicationId ?? "";
}

/** An application with all that belongs to it. */
export const whole = async ({ send }: Applicant, applicationId: string) =>
  Whole.parse((await send("GET", `/api/applications/${applicationId}`)).json());
