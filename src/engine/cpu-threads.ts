export { answer, CpuTeam } from "../lang/expression/execute/cpu/team.ts";
