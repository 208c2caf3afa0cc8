/** Icon size in CSS pixels. */
export const SIGN_PX = 16

/** Colour variable and path per cell value from 1, in the order of `CELL`; digits go next to the pennant. */
const SIGNS: readonly (readonly [colour: string, cloth: string, filled: boolean, digit: string])[] = [
  ['ok', 'M6 2.8 13.4 6 6 9.2Z', true, ''],
  ['gold', 'M6 2h9l-2.6 3.6L15 9.2H6Z', true, '1'],
  ['silver', 'M6 2h9l-2.6 3.6L15 9.2H6Z', true, '2'],
  ['bronze', 'M6 2h9l-2.6 3.6L15 9.2H6Z', true, '3'],
  ['info', 'M6 5q2-2.5 4 0t4 0', false, ''],
]
const POLE = 'M3.5 1.5v13'

/** Draws all icons side by side on one canvas, once per theme and pixel density; cells are copied from it. */
export function drawAtlas(colour: (name: string) => string, scale: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(SIGN_PX * SIGNS.length * scale)
  canvas.height = Math.ceil(SIGN_PX * scale)
  const context = canvas.getContext('2d')
  if (!context) return canvas
  context.scale(scale, scale)
  context.font = '700 7px system-ui, sans-serif'
  context.lineCap = 'round'
  for (const [name, cloth, filled, digit] of SIGNS) {
    context.strokeStyle = colour(name)
    context.fillStyle = colour(name)
    context.lineWidth = 1.6
    context.stroke(new Path2D(POLE))
    const path = new Path2D(cloth)
    // `fill` is a canvas method here; the linter takes it for `Array.fill`.
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type
    if (filled) context.fill(path)
    else context.stroke(path)
    context.fillText(digit, 9.5, 15.5)
    context.translate(SIGN_PX, 0)
  }
  return canvas
}
