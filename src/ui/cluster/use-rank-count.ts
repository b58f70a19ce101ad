import { useApp } from "../session-context.tsx";

/** How many ranks compute what is open: those of its job where a job has it, else those of the room. */
export function useRankCount(): number {
  const rank = useApp(({ cluster }) => cluster.rank);
  const source = useApp(({ data }) => data.source);
  const members = rank?.members.filter(({ rank }) => rank !== undefined) ?? [];
  const group = members.find(({ about }) => source?.kind === "group" && about.group?.id === source.id);
  return group?.about.group?.ranks ?? members.length;
}
