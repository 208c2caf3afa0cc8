import { correction, generate } from 'lean-qr'

/** Width of the quiet zone that scanners need, in modules. */
const QUIET = 4

export interface QrPath {
  /** Width and height of the picture, in modules. */
  readonly size: number
  /** Data of an SVG path that fills the dark modules. */
  readonly path: string
}

/** Draws a text as a QR code. Loaded when someone asks for one. */
export function qrPath(text: string): QrPath {
  const code = generate(text, { minCorrectionLevel: correction.L })
  const size = code.size
  const parts: string[] = []
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (!code.get(x, y)) continue
      const from = x
      while (x + 1 < size && code.get(x + 1, y)) x += 1
      parts.push(`M${from + QUIET} ${y + QUIET}h${x + 1 - from}v1h${from - x - 1}z`)
    }
  }
  return { size: size + 2 * QUIET, path: parts.join('') }
}
