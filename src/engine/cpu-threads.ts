export { answer, CpuTeam } from "../lang/expression/strategies/cpu/team.ts";
