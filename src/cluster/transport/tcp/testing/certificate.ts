import { generateKeyPairSync, sign } from "node:crypto";

/** A self-signed certificate for “localhost” (X.509, RFC 5280) with its private key, both as PEM. */
export function selfSigned(): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = der(0x30, der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
  const commonName = der(0x30, der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from("localhost")));
  const name = der(0x30, der(0x31, commonName));
  const times = ["200101000000Z", "490101000000Z"].map((time) => der(0x17, Buffer.from(time)));
  const serial = der(0x02, Buffer.of(1));
  const spki = publicKey.export({ type: "spki", format: "der" });
  const body = der(0x30, serial, ecdsaWithSha256, name, der(0x30, ...times), name, spki);
  const signature = der(0x03, Buffer.of(0), sign("sha256", body, privateKey));
  const text = der(0x30, body, ecdsaWithSha256, signature).toString("base64");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
