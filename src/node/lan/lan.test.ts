import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { get } from "node:https";
import type { NetworkInterfaceInfo } from "node:os";
import { tmpdir } from "node:os";
import { join } from "node:path";
import qrcode from "qrcode-generator";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { serve } from "../serve.ts";
import { signalling } from "../signalling/signalling.ts";
import { filesIn } from "../static/files.ts";
import { certificateNames, networkAddresses } from "./addresses.ts";
import { announcement } from "./announcement.ts";
import { cacheFolder, certificateFor } from "./certificate.ts";
import { darkOnLight, qrCode } from "./qr-code.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "crinkle-lan-"));
  await writeFile(join(root, "index.html"), "<!doctype html><title>Crinkle</title>");
});
afterAll(() => rm(root, { recursive: true }));

describe("addresses on the network", () => {
  it("are those that others can use, IPv4 first", () => {
    const of = (family: "IPv4" | "IPv6", address: string, internal = false) =>
      ({ family, address, internal }) as NetworkInterfaceInfo;
    const interfaces = {
      lo: [of("IPv4", "127.0.0.1", true), of("IPv6", "::1", true)],
      wlan: [of("IPv6", "fe80::1"), of("IPv6", "2001:db8::7"), of("IPv4", "192.168.1.7")],
      eth: [of("IPv4", "10.0.0.3"), of("IPv4", "169.254.3.4"), of("IPv4", "10.0.0.3")],
      none: undefined,
    };
    expect(networkAddresses(interfaces)).toEqual(["192.168.1.7", "10.0.0.3", "2001:db8::7"]);
    expect(networkAddresses({})).toEqual([]);
  });

  it("are covered by the certificate, besides the machine's name", () => {
    const fixed = ["localhost", "127.0.0.1", "::1", "10.0.0.3"];
    expect(certificateNames(["10.0.0.3"], "desk.local").toSorted()).toEqual(
      [...fixed, "desk.local"].toSorted(),
    );
    expect(certificateNames(["10.0.0.3"], "büro tisch").toSorted()).toEqual(fixed.toSorted());
  });
});

describe("the certificate", () => {
  const names = certificateNames(["10.0.0.3", "2001:db8::7"], "desk");

  it("is stored where only its owner can read it, and reused", async () => {
    const folder = join(root, "kept", "crinkle");
    const first = await certificateFor(names, folder);
    expect(first).toMatchObject({
      isKept: true,
      fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
    });
    expect((await stat(join(folder, "certificate.pem"))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await certificateFor(names, folder)).toEqual(first);
    expect(await certificateFor(names.slice(2), folder)).toEqual(first);
    expect(await readdir(folder)).toEqual(["certificate.pem"]);
  });

  it("is replaced if an address was added, it expires soon, or others could read or change it", async () => {
    const folder = join(root, "anew");
    const path = join(folder, "certificate.pem");
    const fingerprints: string[] = [];
    const next = async (of = names) => {
      const { fingerprint, isKept } = await certificateFor(of, folder);
      expect(isKept).toBe(true);
      expect(fingerprints).not.toContain(fingerprint);
      fingerprints.push(fingerprint);
    };
    await next();
    await next([...names, "10.0.0.4"]);
    await chmod(path, 0o644);
    await next();
    await writeFile(path, "nonsense");
    await next();
    const other = (await certificateFor(names, join(root, "other"))).cert;
    const [key] = (await readFile(path, "utf8")).split("-----BEGIN CERTIFICATE-----");
    await writeFile(path, key + other);
    await next();
    vi.useFakeTimers({ now: Date.now() + 390 * 86_400_000, toFake: ["Date"] });
    await next();
    vi.useRealTimers();
  });

  it("serves even if the certificate cannot be saved", async () => {
    const folder = join(root, "index.html", "folder");
    expect(await certificateFor(names, folder)).toMatchObject({ isKept: false });
    expect(cacheFolder({ XDG_CACHE_HOME: "/cache", LOCALAPPDATA: "/cache" })).toContain("crinkle");
  });

  it("serves the page and signalling over HTTPS under each name", async () => {
    const { key, cert } = await certificateFor(names, join(root, "served"));
    const options = {
      page: filesIn(root),
      host: "127.0.0.1",
      port: 0,
      isPortFixed: true,
      signalling: signalling(),
    };
    const server = await serve({ ...options, tls: { key, cert } });
    expect(server.url).toBe(`https://127.0.0.1:${server.port}/`);
    for (const servername of ["desk", "localhost"]) {
      const body = await new Promise<string>((resolve, reject) => {
        const request = get({ host: "127.0.0.1", port: server.port, ca: cert, servername }, (response) => {
          let text = "";
          response.on("data", (part) => {
            text += part;
          });
          response.on("end", () => resolve(text));
        });
        request.on("error", reject);
      });
      expect(body).toContain("<title>Crinkle</title>");
    }
    const socket = new WebSocket(`wss://127.0.0.1:${server.port}/peer/peerjs?key=peerjs&id=a&token=t`, {
      ca: cert,
    });
    const [message] = await new Promise<string[]>((resolve, reject) => {
      socket.on("message", (data) => resolve([String(data)]));
      socket.on("error", reject);
    });
    expect(message).toBe('{"type":"OPEN"}');
    await server.close();
  });
});

describe("the QR code", () => {
  it("has the code's modules, two rows per line, within a white border", () => {
    const text = "https://192.168.1.7:8470/#room=0123456789abcdef";
    const code = qrcode(0, "M");
    code.addData(text);
    code.make();
    const count = code.getModuleCount();
    const lines = qrCode(text);
    expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([count + 8]));
    expect(lines.length).toBe(Math.ceil((count + 8) / 2));
    const at = (row: number, column: number) => {
      const both = " ▀▄█".indexOf(lines[(row + 4) >> 1][column + 4]);
      return ((row + 4) & 1 ? both >> 1 : both & 1) === 1;
    };
    for (let row = -4; row < count + 4; row++) {
      for (let column = -4; column < count + 4; column++) {
        const isInside = Math.min(row, column) >= 0 && Math.max(row, column) < count;
        if (at(row, column) !== (isInside && code.isDark(row, column)))
          throw new Error(`${row}, ${column} is wrong`);
      }
    }
  });
});

it("the announcement has the addresses, the first one's code, and what browsers will say", () => {
  const urls = ["https://192.168.1.7:8470/", "https://localhost:8470/"];
  const certificate = { key: "", cert: "", fingerprint: "AB:CD", isKept: true };
  const lines = announcement(urls, certificate);
  expect(lines.slice(0, 2)).toEqual([`Crinkle is at ${urls[0]}`, `              ${urls[1]}`]);
  expect(lines.slice(2, -1)).toEqual(qrCode(urls[0]).map(darkOnLight));
  expect(lines.at(-1)).toMatch(/not private.*AB:CD\.$/);
  expect(announcement(urls, { ...certificate, isKept: false }).at(-1)).toContain("warn again");
});
