import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

/** Of all pixels, the share that may differ: site specification 6. */
const TOLERANCE = 0.001
/** Of 255, what a channel may differ by before a pixel counts: edges of letters are drawn with rounding. */
const CHANNEL_TOLERANCE = 16
const CHANNELS = 3

export interface Difference {
  readonly name: string
  /** Of all pixels; 1 when a picture is missing or has another size. */
  readonly share: number
}

/** The pictures of `folder` that look different in `before`, or are missing there. */
export async function compareFolders(folder: string, before: string): Promise<Difference[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort()
  const differences: Difference[] = []
  for (const name of names) {
    const [now, then] = [join(folder, name), join(before, name)]
    const share = existsSync(then) ? await differingShare(now, then) : 1
    if (share > TOLERANCE) differences.push({ name, share })
  }
  return differences
}

/** How much of two pictures differs, from 0 to 1. */
export async function differingShare(left: string, right: string): Promise<number> {
  const [first, second] = await Promise.all([left, right].map(pixelsOf))
  if (!first || !second || first.width !== second.width || first.height !== second.height) return 1
  let differing = 0
  for (let at = 0; at < first.data.length; at += CHANNELS)
    if (differsAt(first.data, second.data, at)) differing++
  return differing / (first.width * first.height)
}

function differsAt(first: Buffer, second: Buffer, at: number): boolean {
  for (let channel = at; channel < at + CHANNELS; channel++)
    if (Math.abs((first[channel] ?? 0) - (second[channel] ?? 0)) > CHANNEL_TOLERANCE) return true
  return false
}

async function pixelsOf(path: string) {
  const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
