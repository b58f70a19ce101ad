import type { Plugin } from "vite";

/** Signalling in Vite's development server, beside its hot reload: all other upgrades are left to Vite. */
export function signallingPlugin(): Plugin {
  return {
    name: "crinkle-signalling",
    apply: "serve",
    async configureServer({ httpServer, middlewares }) {
      if (!httpServer) return;
      const { signalling } = await import("./signalling.ts");
      const peers = signalling();
      middlewares.use((request, response, next) => {
        if (!peers.request(request, response)) next();
      });
      httpServer.on("upgrade", (request, socket, head) => void peers.upgrade(request, socket, head));
      httpServer.on("close", () => peers.close());
    },
  };
}
