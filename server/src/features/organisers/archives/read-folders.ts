import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { createHint } from '@pennant/contract/hints.ts'
import { sentenceOf } from '../../../lib/sentences.ts'
import { findUnstorable } from '../../../http/request/validate.ts'
import type { HintContent } from '../../contest/hints/rules.ts'
import { documentWith, type ChallengeDocument } from './document.ts'
import {
  MAX_CHALLENGES,
  MAX_DOCUMENT_BYTES,
  MAX_LISTED_FILES,
  MAX_TEXT_BYTES,
  MAX_TOTAL_DOCUMENT_BYTES,
  MAX_TOTAL_TEXT_BYTES,
} from './limits.ts'
import type { FolderTree } from './folder-tree.ts'
import { locate } from './locate.ts'
import { commonFolder } from './paths.ts'
import { localPictures, type LocalPicture } from './pictures.ts'
import type { ChallengeValue, FileValue, Problem } from './value.ts'
import { DOCUMENT_NAME, providerOf } from './write-folders.ts'
import { parseYaml } from './yaml.ts'

export interface ReadChallenge {
  /** The folder of the challenge in the tree. */
  readonly folder: string
  /** `local` is the path of a file in the tree. */
  readonly value: ChallengeValue
  /** In its texts. */
  readonly pictures: readonly LocalPicture[]
}

export interface ReadFolders {
  readonly challenges: readonly ReadChallenge[]
  readonly problems: readonly Problem[]
  /** Files that no challenge lists, in the order of the tree. */
  readonly ignored: readonly string[]
}

interface Progress {
  /** What is left of the bytes of documents, and of those of other texts. */
  documentBytes: number
  textBytes: number
  /** What is left of the files that challenges may list. */
  listedFiles: number
  /** Paths that a challenge refers to. */
  readonly used: Set<string>
}

/** Reads every challenge of a tree and reports every problem. A challenge with a problem is left out. Further fields have any value. */
export async function readFolders(tree: FolderTree, fields: readonly string[] = []): Promise<ReadFolders> {
  const documents = [...tree.sizes.keys()].filter((path) => path.split('/').at(-1) === DOCUMENT_NAME)
  if (documents.length === 0) return nothing('', `there is no ${DOCUMENT_NAME}`)
  if (documents.length > MAX_CHALLENGES)
    return nothing('', `there are more than ${MAX_CHALLENGES} challenges`)
  const reading = { ...startReading(tree, documents, commonRoot(tree)), fields }
  const problems: Problem[] = []
  const challenges: ReadChallenge[] = []
  for (const path of documents) {
    const read = await readChallenge(reading, path)
    if ('problems' in read) problems.push(...read.problems)
    else challenges.push(read)
  }
  const ignored = [...tree.sizes.keys()].filter((path) => !reading.progress.used.has(path))
  return { challenges, problems: [...problems, ...repeatedIds(challenges)], ignored }
}

function nothing(path: string, reason: string): ReadFolders {
  return { challenges: [], problems: [{ path, reason }], ignored: [] }
}

/** Archives of a repository have one more folder around everything. Empty, or with a slash at its end. */
function commonRoot({ sizes }: FolderTree): string {
  const isDeep = [...sizes.keys()].some(
    (path) => path.split('/').length > 3 && path.endsWith(`/${DOCUMENT_NAME}`),
  )
  return isDeep ? commonFolder([...sizes.keys()]) : ''
}

interface Reading {
  readonly tree: FolderTree
  readonly root: string
  readonly fields: readonly string[]
  readonly progress: Progress
}

/** The start of reading a tree: all limits are for the tree as a whole. */
export function startReading(tree: FolderTree, documents: readonly string[], root = ''): Reading {
  const progress = {
    documentBytes: MAX_TOTAL_DOCUMENT_BYTES,
    textBytes: MAX_TOTAL_TEXT_BYTES,
    listedFiles: MAX_LISTED_FILES,
    used: new Set(documents),
  }
  return { tree, root, fields: [], progress }
}

async function readChallenge(
  reading: Reading,
  path: string,
): Promise<ReadChallenge | { readonly problems: readonly Problem[] }> {
  const parts = path.slice(reading.root.length).split('/')
  const [category = '', id = ''] = parts
  if (parts.length !== 3)
    return { problems: [{ path, reason: `must be in <category>/<challenge>/${DOCUMENT_NAME}` }] }
  const text = await readText(reading, { path, kind: 'document' })
  if ('problem' in text) return { problems: [{ path, reason: text.problem }] }
  const parsed = await parseYaml(text.text)
  if ('error' in parsed) return { problems: [{ path, reason: parsed.error }] }
  const folder = path.slice(0, -DOCUMENT_NAME.length - 1)
  const { value, problems } = await readDocument({ ...reading, folder }, { id, category }, parsed.value)
  if (!value) return { problems: problems.map((reason) => ({ path, reason })) }
  const pictures = localPictures(value, folder, reading.tree.sizes)
  for (const { local } of pictures) reading.progress.used.add(local)
  return { folder, value, pictures }
}

/**
 * Checks the content of a document and reads the texts beside it. What the document does not say is in the names of its
 * folders.
 */
export async function readDocument(
  reading: FolderReading,
  named: { readonly id: string; readonly category: string },
  content: unknown,
): Promise<{ readonly value: ChallengeValue | null; readonly problems: readonly string[] }> {
  const checked = documentWith(reading.fields).safeParse(content, { error: sentenceOf })
  if (!checked.success) return { value: null, problems: checked.error.issues.map(reasonOf) }
  const document = checked.data
  const complete = { ...document, id: document.id ?? named.id, category: document.category ?? named.category }
  const { value, problems } = await valueOf(reading, complete)
  const found = [...problems, ...valueProblems(value)]
  return { value: found.length > 0 ? null : value, problems: found }
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

function reasonOf({ path, message }: Issue): string {
  return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`
}

export interface FolderReading extends Reading {
  readonly folder: string
  /** Documents of other tools publish only what they list. */
  readonly isForeign?: boolean
}

type CompleteDocument = ChallengeDocument & { readonly id: string; readonly category: string }

async function valueOf(reading: FolderReading, document: CompleteDocument) {
  const problems: string[] = []
  const textOf = async (field: string, text: GivenText | null | undefined) => {
    if (typeof text !== 'object' || text === null) return text
    const read = await readBeside(reading, text.file)
    if ('text' in read) return read.text
    problems.push(`${field}: ${read.problem}`)
    return ''
  }
  const { files, problems: missing } = await filesOf(reading, document.files)
  problems.push(...missing)
  const { releaseTime, adminBot, instancer, flags } = document
  const hints = document.hints && (await hintsOf(document.hints, textOf))
  const value: ChallengeValue = {
    ...document,
    description: (await textOf('description', document.description)) ?? undefined,
    releaseTime: typeof releaseTime === 'string' ? Date.parse(releaseTime) : releaseTime,
    flags: flags?.map(({ kind, ...config }) => ({ provider: providerOf(kind), config })),
    hints,
    files,
    instancer,
    adminBot: adminBot ? await textOf('adminBot.code', adminBot.code) : adminBot,
  }
  return { value, problems }
}

type GivenText = string | { readonly file: string }

async function hintsOf(
  given: NonNullable<ChallengeDocument['hints']>,
  textOf: (field: string, text: GivenText) => Promise<string | null | undefined>,
): Promise<HintContent[]> {
  const hints: HintContent[] = []
  for (const [at, { text, price, release }] of given.entries())
    hints.push({ text: (await textOf(`hints.${at}.text`, text)) ?? '', price, release: releaseOf(release) })
  return hints
}

function releaseOf(
  release: NonNullable<ChallengeDocument['hints']>[number]['release'],
): HintContent['release'] {
  if (release === 'manual') return { kind: 'manual' }
  return 'at' in release
    ? { kind: 'time', at: Date.parse(release.at) }
    : { kind: 'after', minutes: release.after }
}

export type Text = { readonly text: string } | { readonly problem: string }

async function readBeside(reading: FolderReading, file: string): Promise<Text> {
  const found = await locate(reading.tree, reading.folder, file)
  if ('problem' in found) return { problem: `${file}: ${found.problem}` }
  const read = await readText(reading, { path: found.path, kind: 'text' })
  return 'problem' in read ? { problem: `${file} ${read.problem}` } : read
}

const TOO_MUCH = {
  document: `exceeds the ${MAX_TOTAL_DOCUMENT_BYTES} bytes that all documents may have together`,
  text: `exceeds the ${MAX_TOTAL_TEXT_BYTES} bytes that all texts may have together`,
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export async function readText(
  { tree, progress }: Reading,
  { path, kind }: { readonly path: string; readonly kind: 'document' | 'text' },
): Promise<Text> {
  const size = tree.sizes.get(path) ?? 0
  progress.used.add(path)
  const maxBytes = kind === 'document' ? MAX_DOCUMENT_BYTES : MAX_TEXT_BYTES
  if (size > maxBytes) return { problem: `is larger than ${maxBytes} bytes` }
  const left = (progress[`${kind}Bytes`] -= size)
  if (left < 0) return { problem: TOO_MUCH[kind] }
  const read = await tree.read(path)
  if ('problem' in read) return read
  try {
    return { text: utf8.decode(read.content) }
  } catch {
    return { problem: 'is not UTF-8 text' }
  }
}

/** The default of a document without `files` is what `files/` contains, by name. */
async function filesOf(reading: FolderReading, given: ChallengeDocument['files']) {
  const { tree, folder, progress } = reading
  const problems: string[] = []
  const listed = given ?? (reading.isForeign ? [] : defaultFiles(tree, folder))
  const files: FileValue<string>[] = []
  for (const file of listed) {
    if (typeof file === 'object' && 'url' in file) {
      files.push(file)
      continue
    }
    const { path: wanted, name } = typeof file === 'string' ? { path: file, name: undefined } : file
    const found = await locate(tree, folder, wanted)
    if ('problem' in found) {
      problems.push(`files: ${wanted}: ${found.problem}`)
      continue
    }
    const { path } = found
    progress.used.add(path)
    files.push({ name: name ?? path.slice(path.lastIndexOf('/') + 1), local: path })
  }
  progress.listedFiles -= listed.length
  if (progress.listedFiles < 0)
    problems.push(`files: all challenges list more than ${MAX_LISTED_FILES} files`)
  const hasNone = given === undefined && files.length === 0
  return { files: hasNone ? undefined : files, problems }
}

function defaultFiles({ sizes }: FolderTree, folder: string): string[] {
  const prefix = folder === '' ? 'files/' : `${folder}/files/`
  return [...sizes.keys()]
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length - 'files/'.length))
    .toSorted()
}

/** Fields of the API that a document calls otherwise. */
const NAMES: Readonly<Record<string, string>> = { instancerConfig: 'instancer', adminBotConfig: 'adminBot' }

/** The rules of the API for the same values: one rule for a single edit and for an import. */
function valueProblems(value: ChallengeValue): string[] {
  const { files = [], instancer, adminBot } = value
  const data = {
    ...value,
    // Compared with the stored one later, because a folder may leave out the secret.
    scoring: undefined,
    files: files.map((file) => ({ url: '', ...file })),
    instancerConfig: instancer,
    adminBotConfig: typeof adminBot === 'string' ? { code: adminBot } : adminBot,
  }
  const checked = putChallengeV2.body.safeParse({ data }, { error: sentenceOf })
  if (!checked.success)
    return checked.error.issues.map(({ path: [, field = '', ...inner], message }) =>
      reasonOf({ path: [NAMES[field as string] ?? field, ...inner], message }),
    )
  const hints = (value.hints ?? []).flatMap(hintProblems)
  if (hints.length > 0) return hints
  const unstorable = findUnstorable(value)
  return unstorable === null ? [] : [`${unstorable}: has a character that cannot be stored`]
}

function hintProblems(data: HintContent, at: number): string[] {
  const checked = createHint.body.safeParse({ data }, { error: sentenceOf })
  if (checked.success) return []
  return checked.error.issues.map(({ path, message }) =>
    reasonOf({ path: ['hints', at, ...path.slice(1)], message }),
  )
}

function repeatedIds(challenges: readonly ReadChallenge[]): Problem[] {
  const first = new Map<string, string>()
  return challenges.flatMap(({ folder, value: { id } }) => {
    const other = first.get(id)
    if (other === undefined) first.set(id, folder)
    return other === undefined
      ? []
      : [
          {
            path: `${folder}/${DOCUMENT_NAME}`,
            reason: `has the same id as ${other}/${DOCUMENT_NAME}: ${id}`,
          },
        ]
  })
}
