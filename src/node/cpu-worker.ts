import { parentPort } from "node:worker_threads";
import { answer } from "../engine/cpu-threads.ts";

parentPort?.on("message", (request) => parentPort?.postMessage(answer(request)));
