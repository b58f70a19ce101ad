import { Late, latePart } from "../controls/Late.tsx";
import { useApp, useSession } from "../session-context.tsx";

const dialog = latePart("The dialog for raw numbers", () => import("./RawDialog.tsx"));

/** The dialog about a raw volume's layout, whose code comes when it is first needed. */
export function RawLayout() {
  const { data } = useSession();
  const raw = useApp(({ raw }) => raw);
  return (
    <Late part={dialog} wish={raw} onGiveUp={data.dropRaw}>
      {({ default: RawDialog }) => <RawDialog />}
    </Late>
  );
}
