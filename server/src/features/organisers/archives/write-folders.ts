import { archiveFields } from '@pennant/contract/challenge-archive.ts'
import type { FlagEntry } from '../../../world/model.ts'
import type { HintContent } from '../../contest/hints/rules.ts'
import { MAX_INLINE_LENGTH } from './limits.ts'
import { createFreePaths, partOf } from './paths.ts'
import type { ChallengeValue, FileValue } from './value.ts'
import { printYaml } from './yaml.ts'

/** A file of a folder tree: its text, or what identifies its content outside. */
export type WrittenFile<Local> =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly local: Local }

export const DOCUMENT_NAME = 'challenge.yaml'

const FLAGS = 'flags/'

/** As `MAX_INLINE_LENGTH` for each hint: all 20 of a challenge and its description fit into a document, whatever their letters. */
const MAX_INLINE_HINT_LENGTH = 1024

const ORDER: readonly string[] = ['id', ...archiveFields]

function positionOf(field: string): number {
  const at = ORDER.indexOf(field)
  return at === -1 ? ORDER.length : at
}

/**
 * The folder tree of the challenges: `<category>/<id>/challenge.yaml` and the files beside it. The same
 * challenges in the same order result in the same tree.
 */
export async function* writeFolders<Local>(
  challenges: readonly ChallengeValue<Local>[],
): AsyncGenerator<WrittenFile<Local>> {
  const freeFolder = createFreePaths()
  for (const challenge of challenges) {
    const folder = freeFolder(`${partOf(challenge.category ?? '')}/${partOf(challenge.id)}`)
    yield* writeFolder(folder, challenge)
  }
}

async function* writeFolder<Local>(
  folder: string,
  challenge: ChallengeValue<Local>,
): AsyncGenerator<WrittenFile<Local>> {
  const beside: WrittenFile<Local>[] = []
  const write = (name: string, text: string) => {
    beside.push({ path: `${folder}/${name}`, text })
    return { file: name }
  }
  const { description, adminBot, releaseTime, flags, hints } = challenge
  const document = {
    ...challenge,
    description:
      description !== undefined && description.length > MAX_INLINE_LENGTH
        ? write('description.md', description)
        : description,
    releaseTime: typeof releaseTime === 'number' ? new Date(releaseTime).toISOString() : releaseTime,
    flags: flags?.map(flagOf),
    hints: hints?.map((hint, at) => writeHint(hint, (text) => write(`hint-${at + 1}.md`, text))),
    files: challenge.files && writeFiles(folder, challenge.files, beside),
    adminBot: typeof adminBot === 'string' ? { code: write('admin-bot.js', adminBot) } : adminBot,
  }
  const entries = Object.entries(document).toSorted(([a], [b]) => positionOf(a) - positionOf(b))
  yield { path: `${folder}/${DOCUMENT_NAME}`, text: await printYaml(Object.fromEntries(entries)) }
  yield* beside
}

function writeHint(
  { text, price, release }: HintContent,
  write: (text: string) => { readonly file: string },
) {
  return {
    text: text.length > MAX_INLINE_HINT_LENGTH ? write(text) : text,
    price,
    release: releaseOf(release),
  }
}

function releaseOf(release: HintContent['release']) {
  if (release.kind === 'manual') return release.kind
  return release.kind === 'time' ? { at: new Date(release.at).toISOString() } : { after: release.minutes }
}

function flagOf({ provider, config }: FlagEntry) {
  return { kind: provider.startsWith(FLAGS) ? provider.slice(FLAGS.length) : provider, ...config }
}

/** The provider of a flag's kind: `static` is `flags/static`. */
export function providerOf(kind: string): string {
  return kind.includes('/') ? kind : FLAGS + kind
}

function writeFiles<Local>(
  folder: string,
  files: readonly FileValue<Local>[],
  beside: WrittenFile<Local>[],
): unknown[] {
  const freePath = createFreePaths()
  return files.map((file) => {
    if (!('local' in file)) return file
    const part = partOf(file.name)
    const path = freeFilePath(freePath, part)
    beside.push({ path: `${folder}/${path}`, local: file.local })
    return path.slice(path.lastIndexOf('/') + 1) === file.name ? path : { path, name: file.name }
  })
}

/** `files/a.zip`, and `files-2/a.zip` if there is another `a.zip`: the name stays. */
function freeFilePath(freePath: (wanted: string) => string, part: string): string {
  // The counter is appended to a key that is used for nothing else.
  const key = freePath(part)
  const number = key.slice(part.length + 1)
  return number === '' ? `files/${part}` : `files-${number}/${part}`
}
