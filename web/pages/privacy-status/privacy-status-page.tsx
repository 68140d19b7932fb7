import { useLocation } from "../../app/routing.ts";
import { RequestStatus } from "../../features/privacy-form/request-status.tsx";

/** The page behind the links of mails about a privacy request. */
export function Page() {
  const { hash } = useLocation();
  return (
    <div className="request-status page-width">
      <RequestStatus hash={hash} />
    </div>
  );
}
