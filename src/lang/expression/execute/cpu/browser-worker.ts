import { answer } from "./answer.ts";
import type { Request } from "./team.ts";

self.addEventListener("message", ({ data }: MessageEvent<Request>) => self.postMessage(answer(data)));
