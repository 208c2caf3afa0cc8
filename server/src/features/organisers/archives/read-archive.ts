import { posix } from 'node:path'
import { IsolationError, runIsolated } from '../../../lib/isolated.ts'
import { readFolders, type ReadChallenge, type ReadFolders } from './read-folders.ts'
import { openZip, type FileDigest, type ZipTree } from './read-zip.ts'
import type { Problem } from './value.ts'

export interface ReadArchive extends ReadFolders {
  /** Of the files that challenges list and the pictures in their texts, by their path in the archive. */
  readonly digests: ReadonlyMap<string, FileDigest>
}

interface ArchiveFile {
  readonly path: string
  /** Maximum size of a file in bytes, as for uploads. */
  readonly maxFileBytes: number
  /** Further fields of challenges: they are not checked here, because the other process does not know their kinds. */
  readonly fields: readonly string[]
}

/** The largest texts that an archive may have, several times: as bytes, as text and as values. */
const MAX_MEMORY_MIB = 512
/** The largest archives are read in a few seconds. Organisers wait for the response. */
const LIMIT_MS = 60_000

/** Reads an archive in another process. A challenge with a problem is left out. */
export async function readArchive(file: ArchiveFile): Promise<ReadArchive> {
  const challenges: ReadChallenge[] = []
  let rest: Omit<ReadArchive, 'challenges'> | undefined
  const limits = { maxMemoryMib: MAX_MEMORY_MIB, limitMs: LIMIT_MS }
  try {
    for await (const part of runIsolated<Part>({ task: 'challenge-archive', input: file, ...limits }))
      if ('challenge' in part) challenges.push(part.challenge)
      else rest = part
  } catch (error) {
    if (!(error instanceof IsolationError)) throw error
    return nothing([{ path: '', reason: `the archive ${error.message} to read` }])
  }
  return { ...(rest ?? nothing([])), challenges }
}

function nothing(problems: readonly Problem[]): ReadArchive {
  return { challenges: [], problems, ignored: [], digests: new Map() }
}

type Part = { readonly challenge: ReadChallenge } | Omit<ReadArchive, 'challenges'>

/** What the other process does: one challenge at a time, then the rest. */
export async function* readArchiveParts({ path, maxFileBytes, fields }: ArchiveFile): AsyncGenerator<Part> {
  const opened = await openZip(path, { maxFileBytes })
  if ('problems' in opened) {
    yield nothing(opened.problems)
    return
  }
  await using tree = opened.tree
  const { challenges, problems, ignored } = await readFolders(tree, fields)
  for (const challenge of challenges) yield { challenge }
  const read = await digestFiles(tree, challenges)
  yield { problems: [...problems, ...read.problems], ignored, digests: read.digests }
}

/** A file that is stored if the challenge is imported. */
export interface ListedFile {
  readonly name: string
  readonly local: string
}

/** The files that a challenge lists, and the pictures in its texts. */
export function localsOf({ value: { files = [] }, pictures }: Omit<ReadChallenge, 'folder'>): ListedFile[] {
  return [
    ...files.filter((file) => 'local' in file),
    ...pictures.map(({ local }) => ({ name: posix.basename(local), local })),
  ]
}

async function digestFiles(tree: ZipTree, challenges: readonly ReadChallenge[]) {
  const digests = new Map<string, FileDigest>()
  const problems: Problem[] = []
  for (const path of new Set(challenges.flatMap((each) => localsOf(each).map(({ local }) => local)))) {
    const digest = await tree.digest(path)
    if ('problem' in digest) problems.push({ path, reason: digest.problem })
    else digests.set(path, digest)
  }
  return { digests, problems }
}
