import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { homedir, platform } from "node:os";
import { join } from "node:path";

export interface Certificate {
  /** Private key and certificate, as PEM. */
  readonly key: string;
  readonly cert: string;
  /** SHA-256, as browsers show it. */
  readonly fingerprint: string;
  /** Whether the next start will reuse it, so that browsers warn only once. */
  readonly isKept: boolean;
}

const day = 86_400_000;

/** Safari rejects certificates that are valid for longer. */
const validDays = 397;

/** A certificate that expires sooner is replaced. */
const minDays = 14;

/** The user's cache folder. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (platform() === "win32") return join(env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "crinkle");
  if (platform() === "darwin") return join(homedir(), "Library", "Caches", "crinkle");
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "crinkle");
}

/**
 * A self-signed certificate for these names and addresses: the one in the folder if it covers them, does not
 * expire soon and its key is private; otherwise a new one, which is saved there if possible.
 */
export async function certificateFor(names: readonly string[], folder = cacheFolder()): Promise<Certificate> {
  const path = join(folder, "certificate.pem");
  const kept = await readKept(path, names).catch(() => undefined);
  if (kept) return kept;
  const made = await make(names);
  const isKept = await keep(path, folder, made).then(
    () => true,
    () => false,
  );
  return { ...made, isKept };
}

async function readKept(path: string, names: readonly string[]): Promise<Certificate | undefined> {
  const { mode } = await stat(path);
  if (platform() !== "win32" && (mode & 0o077) !== 0) return undefined;
  const text = await readFile(path, "utf8");
  const [, key, cert] = /^(-----BEGIN PRIVATE KEY-----.*?)(-----BEGIN CERTIFICATE-----.*)$/s.exec(text) ?? [];
  const parsed = new X509Certificate(cert);
  const fits = names.every((name) => (isIP(name) ? parsed.checkIP(name) : parsed.checkHost(name)));
  const lasts = Date.parse(parsed.validTo) - Date.now() > minDays * day;
  if (!fits || !lasts || !parsed.checkPrivateKey(createPrivateKey(key))) return undefined;
  return { key, cert, fingerprint: parsed.fingerprint256, isKept: true };
}

async function make(names: readonly string[]): Promise<Omit<Certificate, "isKept">> {
  const { generate } = await import("selfsigned");
  const altNames = names.map((name) =>
    isIP(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
  );
  const made = await generate([{ name: "commonName", value: "Crinkle on this network" }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(Date.now() - day),
    notAfterDate: new Date(Date.now() + (validDays - 1) * day),
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames },
    ],
  });
  const [key, cert] = [made.private, made.cert].map((pem) => `${pem.replaceAll("\r\n", "\n").trim()}\n`);
  return { key, cert, fingerprint: new X509Certificate(cert).fingerprint256 };
}

async function keep(
  path: string,
  folder: string,
  { key, cert }: { key: string; cert: string },
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${process.pid}`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, key + cert, { mode: 0o600, flag: "wx" });
  await rename(unfinished, path);
}
