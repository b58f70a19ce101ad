export { answer } from "../lang/expression/execute/cpu/answer.ts";
export { CpuTeam } from "../lang/expression/execute/cpu/team.ts";
