import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";
import { useApp, useSession } from "../session-context.tsx";

const dialog = lazyPart("The dialog for raw numbers", () => import("./RawDialog.tsx"));

/** The dialog for a raw volume's layout, whose code is loaded when it is first needed. */
export function RawLayout() {
  const { data } = useSession();
  const raw = useApp(({ raw }) => raw);
  return (
    <LazyBoundary part={dialog} wish={raw} onGiveUp={data.dropRaw}>
      {({ default: RawDialog }) => <RawDialog />}
    </LazyBoundary>
  );
}
