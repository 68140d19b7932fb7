import { channels } from "@pro-talent/schemas/analytics/kinds";
import { useTranslation } from "react-i18next";

const steps = ["visit", "pricing", "join", "checkout-done"] as const;
const decisions = ["granted", "rejected", "withdrawn", "dnt", "gpc"] as const;

/** The words for what is stored as a code: channels, steps of the funnel, and decisions. */
export function useAnswerNames(): (name: string) => string {
  const { t } = useTranslation(["analyst-questions", "traffic"]);
  return (name) => {
    const channel = channels.find((one) => one === name);
    if (channel !== undefined) return t(`traffic:channelNames.${channel}`);
    const step = steps.find((one) => one === name);
    if (step !== undefined) return t(`steps.${step}`);
    const decision = decisions.find((one) => one === name);
    return decision === undefined ? name : t(`decisions.${decision}`);
  };
}
