import { picturesIn, placeOfPicture } from '@pennant/contract/text-pictures.ts'
import { posix } from 'node:path'
import type { LocalChallenge } from './check-translation.ts'
import type { DiskTree } from './disk-tree.ts'
import { fetchPicture } from './fetch-picture.ts'
import type { Finding } from './finding.ts'
import { picturePath, textsOf, withPictures } from '../../features/organisers/archives/pictures.ts'

export interface PictureInput {
  readonly tree: DiskTree
  /** From the configuration of the site. */
  readonly pictureSources: readonly string[]
  /** How many pictures of other sites may still be fetched to be uploaded; null if none is. */
  readonly fetching: { left: number } | null
  readonly addressOf: (local: string) => Promise<string>
}

/**
 * Gives pictures in texts that are files beside the document the addresses that they have on the site. What players would not see is a
 * warning.
 */
export async function placePictures(
  input: PictureInput,
  challenge: LocalChallenge,
): Promise<{ readonly challenge: LocalChallenge; readonly findings: readonly Finding[] }> {
  const { file, value, place } = challenge
  const findings: Finding[] = []
  const addresses = new Map<string, string>()
  const written = new Set(textsOf(value).flatMap(picturesIn))
  for (const address of written) {
    const found = await placeOf(input, file, address)
    if ('address' in found) addresses.set(address, found.address)
    if (!('problem' in found)) continue
    const at = await place('description')
    const message = `the picture ${address} ${found.problem}`
    const reason = `a picture ${found.problem}`
    findings.push({ level: 'warning', lint: 'picture', file, ...at, challenge: value.id, message, reason })
  }
  return { challenge: { ...challenge, value: withPictures(value, addresses) }, findings }
}

type Found = { readonly address: string } | { readonly problem: string } | Readonly<Record<string, never>>

async function placeOf(
  { tree, pictureSources, fetching, addressOf }: PictureInput,
  file: string,
  address: string,
): Promise<Found> {
  const kind = placeOfPicture(address, pictureSources)
  if (kind === 'seen') return {}
  if (kind === 'elsewhere') {
    if (!fetching)
      return { problem: 'is on another site, so players see a link: --store-pictures uploads it' }
    if (fetching.left-- <= 0) return { problem: 'is not fetched: there are too many' }
    const fetched = await fetchPicture(address)
    if ('problem' in fetched) return fetched
    const path = `.pictures/${fetched.name}`
    tree.add(path, fetched.content)
    return { address: await addressOf(path) }
  }
  const path = picturePath(posix.dirname(file), address)
  if (path === null) return { problem: 'is relative, and no picture by its name: players do not see it' }
  const isThere = tree.sizes.has(path) || (await tree.find(path)) === 'file'
  return isThere
    ? { address: await addressOf(path) }
    : { problem: `is relative, and there is no file ${path}` }
}
