import qrcode from "qrcode-generator";

/** White modules around the code, which cameras need to find it (ISO/IEC 18004). */
const quiet = 4;

/** A text as a QR code, two rows of modules per line: blocks are dark if the terminal writes dark on light. */
export function qrCode(text: string): readonly string[] {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const isDark = (row: number, column: number) =>
    row >= 0 && column >= 0 && row < count && column < count && code.isDark(row, column);
  const lines: string[] = [];
  for (let row = -quiet; row < count + quiet; row += 2) {
    let line = "";
    for (let column = -quiet; column < count + quiet; column++) {
      line += " ▀▄█"[Number(isDark(row, column)) + 2 * Number(isDark(row + 1, column))];
    }
    lines.push(line);
  }
  return lines;
}

/** Dark on light, whatever the terminal's colours. */
export const darkOnLight = (line: string): string => `\u001b[30;107m${line}\u001b[0m`;
