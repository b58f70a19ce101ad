import type { Certificate } from "./certificate.ts";
import { darkOnLight, qrCode } from "./qr-code.ts";

/** Lines for the terminal that tell people on the network how to get here and what their browser will say. */
export function announcement(urls: readonly string[], certificate: Certificate): readonly string[] {
  const again = certificate.isKept
    ? ""
    : " The certificate could not be saved: browsers will warn again after the next start.";
  return [
    `Crinkle is at ${urls[0]}`,
    ...urls.slice(1).map((url) => `              ${url}`),
    ...qrCode(urls[0]).map(darkOnLight),
    "Browsers will warn that the connection is not private, because this machine signed its certificate itself: go on " +
      `if the certificate that they show has the SHA-256 fingerprint ${certificate.fingerprint}.${again}`,
  ];
}
