import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

/** Share of all pixels that may differ. */
const TOLERANCE = 0.001
/**
 * Smallest relevant difference of a channel, out of 255, because anti-aliasing of text edges varies by
 * rounding.
 */
const CHANNEL_TOLERANCE = 16
const CHANNELS = 3

export interface Difference {
  readonly name: string
  /** Share of all pixels; 1 if a picture is missing or its size differs. */
  readonly share: number
}

/** The pictures of `folder` that differ from those in `before` or are missing there. */
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

/** The share of differing pixels, from 0 to 1. */
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
