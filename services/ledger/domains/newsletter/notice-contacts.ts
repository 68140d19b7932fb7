import type { SubscriberContacts } from "../../contacts.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { isAddressRestricted } from "../../restriction.ts";
import { mailLinks } from "./mail-tokens.ts";
import { recordRefusal } from "./messages.ts";
import { readSubscriber } from "./subscribers.ts";

/** Subscribers as notices of other domains address them, read at the moment of each mail. */
export function noticeContacts(context: WorkerContext): SubscriberContacts {
  const { mailboxes } = context;
  const links = mailLinks(context);
  return {
    contactOf: async (subscriberId) => {
      const subscriber = await readSubscriber(context, subscriberId);
      if (subscriber === undefined) return "gone";
      const { state, email } = subscriber;
      if (state.status === "pending" || state.status === "bounced") return "unreachable";
      if (state.status !== "confirmed") return "gone";
      if (await isAddressRestricted(context, email)) return "restricted";
      if ((await mailboxes.admit(email, undefined)) !== "admitted") return "do-not-mail";
      return {
        email,
        language: state.asked.language,
        manageUrl: links.manage(subscriberId),
        feedbackId: mailboxes.feedbackIdOf(email),
      };
    },
    recordRefusal: (subscriberId, cause) => recordRefusal(context, subscriberId, cause),
  };
}
