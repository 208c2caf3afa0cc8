import { picturesElsewhere, picturesIn, placeOfPicture } from '@pennant/contract/text-pictures.ts'
import { posix } from 'node:path'
import { findingAt, type LocalChallenge } from './check-translation.ts'
import type { DiskTree } from './disk-tree.ts'
import type { Finding } from './finding.ts'
import {
  picturePath,
  textsOf,
  tooLongTexts,
  withPictures,
} from '../../features/organisers/archives/pictures.ts'
import { fetchPictures, leftTexts, type FetchedPictures } from '../../features/site/uploads/fetch-pictures.ts'

export interface PictureInput {
  readonly tree: DiskTree
  /** From the configuration of the site. */
  readonly pictureSources: readonly string[]
  /** Pictures of other sites that were fetched, by their paths in the folder; null if none was to be. */
  readonly fetched: FetchedPictures | null
  readonly addressOf: (local: string) => Promise<string>
}

/**
 * Fetches the pictures of other sites into the folder. Unlike the server, it connects to private addresses as well: it runs
 * for the person whose machine it is, who asked for it and could fetch the same with a browser, and drafts often show
 * pictures of an internal wiki. Only what is a picture by its content is uploaded.
 */
export async function fetchForeign(
  { tree, pictureSources }: Pick<PictureInput, 'tree' | 'pictureSources'>,
  challenges: readonly LocalChallenge[],
): Promise<FetchedPictures> {
  const texts = challenges.flatMap(({ value }) => textsOf(value))
  const addresses = texts.flatMap((text) => picturesElsewhere(text, pictureSources))
  return await fetchPictures(addresses, {
    mayConnect: () => true,
    async store({ name, content }) {
      const path = `.pictures/${name}`
      tree.add(path, content)
      return path
    },
  })
}

/**
 * Gives pictures in texts that are files beside the document the addresses that they have on the site. What players would not see is a
 * warning.
 */
export async function placePictures(
  input: PictureInput,
  challenge: LocalChallenge,
): Promise<{ readonly challenge: LocalChallenge; readonly findings: readonly Finding[] }> {
  const { file, value } = challenge
  const findings: Finding[] = []
  const addresses = new Map<string, string>()
  const written = new Set(textsOf(value).flatMap(picturesIn))
  for (const address of written) {
    const found = await placeOf(input, file, address)
    if ('address' in found) addresses.set(address, found.address)
    if (!('problem' in found)) continue
    const message = `the picture ${address} ${found.problem}`
    const reason = `a picture ${found.problem}`
    findings.push(findingAt(challenge, 'description', { level: 'warning', lint: 'picture', message, reason }))
  }
  const placed = withPictures(value, addresses)
  for (const { path: field, reason: message } of tooLongTexts(placed))
    findings.push(findingAt(challenge, field, { level: 'error', lint: 'document', message }))
  return { challenge: { ...challenge, value: placed }, findings }
}

type Found = { readonly address: string } | { readonly problem: string } | Readonly<Record<string, never>>

async function placeOf(
  { tree, pictureSources, fetched, addressOf }: PictureInput,
  file: string,
  address: string,
): Promise<Found> {
  const kind = placeOfPicture(address, pictureSources)
  if (kind === 'seen') return {}
  if (kind === 'elsewhere') {
    if (!fetched) return { problem: 'is on another site, so players see a link: --store-pictures uploads it' }
    const local = fetched.stored.get(address)
    if (local !== undefined) return { address: await addressOf(local) }
    const { reason = 'limit' } = fetched.left.find((each) => each.address === address) ?? {}
    return { problem: leftTexts[reason] }
  }
  const path = picturePath(posix.dirname(file), address)
  if (path === null) return { problem: 'is relative, and no picture by its name: players do not see it' }
  const isThere = tree.sizes.has(path) || (await tree.find(path)) === 'file'
  return isThere
    ? { address: await addressOf(path) }
    : { problem: `is relative, and there is no file ${path}` }
}
