import { ChallengeId } from '@pennant/contract/fields.ts'
import {
  readDocument,
  readText,
  startReading,
  type FolderReading,
} from '../challenge-archive/read-folders.ts'
import { MAX_CHALLENGES } from '../challenge-archive/limits.ts'
import type { ChallengeValue } from '../challenge-archive/value.ts'
import { lineOf as lineInYaml, parseYaml } from '../challenge-archive/yaml.ts'
import type { DiskTree } from './disk-tree.ts'
import { findDocuments, findLookalikes, TOO_MANY } from './documents.ts'
import type { Finding } from './finding.ts'
import { foreignFormats } from './formats/all.ts'
import { MAX_PACKED_BYTES } from './formats/archive.ts'
import {
  baseName,
  isMap,
  type ForeignDocument,
  type ForeignOptions,
  type Format,
  type Problem,
  type ReadDocument,
  type Translation,
} from './formats/translation.ts'
import { isToml, lineInToml, parseToml } from './formats/toml.ts'
import { isManifest } from './manifest.ts'
import { isListed, listedBy, readProjects, type Projects } from './projects.ts'
import { recognise } from './recognise.ts'

/** A challenge of the folder. */
export interface LocalChallenge {
  /** The document, a path in the folder. */
  readonly file: string
  readonly format: Format
  readonly value: ChallengeValue
  /** Values of a new challenge. */
  readonly defaults: Partial<ChallengeValue>
  readonly otherIds: readonly string[]
  readonly isNamed: boolean
  /** The line of a field of ours in the document. */
  readonly place: (field: string) => Promise<{ readonly line: number; readonly field: string }>
}

export interface ReadProject {
  readonly challenges: readonly LocalChallenge[]
  readonly findings: readonly Finding[]
}

export interface ReadOptions extends ForeignOptions {
  /** Null if each document shows it. */
  readonly format: Format | null
  /** Other names of documents. */
  readonly documents: readonly string[]
}

interface ProjectReading {
  readonly tree: DiskTree
  readonly projects: Projects
  readonly reading: ReturnType<typeof startReading>
  readonly options: ReadOptions
  readonly packing: { left: number }
}

/** Reads all challenges of a folder and reports everything that is wrong with them. */
export async function readChallenges(tree: DiskTree, options: ReadOptions): Promise<ReadProject> {
  const projects = await readProjects(tree)
  const { files, findings } = findDocuments(tree, projects, options.documents)
  const found = [...projects.findings, ...findings]
  if (files.length > MAX_CHALLENGES) return { challenges: [], findings: [...found, folderError(TOO_MANY)] }
  const reading = startReading(tree, files)
  const all = { tree, projects, reading, options, packing: { left: MAX_PACKED_BYTES } }
  const documents: OpenedDocument[] = []
  for (const file of files) {
    const opened = await open(all, file)
    if ('document' in opened) documents.push(opened)
    else found.push(...opened.findings)
  }
  const isOnlyOne = onlyOneOf(documents)
  const challenges: LocalChallenge[] = []
  const byFormat = new Map<Format, ReadDocument[]>()
  for (const document of documents) {
    const other = isOnlyOne(document)
    if (other !== null) {
      const message = `is in the folder of ${other}: keep one of them, or leave one out with --exclude`
      found.push({ level: 'error', lint: 'document', file: document.document.file, message })
      continue
    }
    const read = await readOpened(all, document)
    challenges.push(...read.challenges)
    found.push(...read.findings)
    const { format } = document
    byFormat.set(format, [...(byFormat.get(format) ?? []), { document: document.document, ids: read.ids }])
  }
  for (const [format, listed] of byFormat)
    if (format !== 'pennant') found.push(...(foreignFormats[format].check?.(listed) ?? []))
  if (documents.length === 0 && !found.some(({ level }) => level === 'error'))
    found.push(folderError(await whyNothing(tree, found)))
  return { challenges, findings: found }
}

function folderError(message: string): Finding {
  return { level: 'error', lint: 'document', file: '', message }
}

async function whyNothing(tree: DiskTree, findings: readonly Finding[]): Promise<string> {
  const similar = await findLookalikes(tree)
  if (similar.length > 0) {
    const names = [...new Set(similar.map(baseName))].map((name) => `--document ${name}`)
    return `there is no challenge.yaml or challenge.yml, but these files look like challenges: ${similar.join(', ')}; add ${names.join(' ')}`
  }
  const left = findings.filter(({ level }) => level === 'info').map(({ message }) => message)
  const why = left.length > 0 ? `: every document ${[...new Set(left)].join(', or ')}` : ''
  return `there is no document of a challenge (challenge.yaml, challenge.yml, kona.yaml …)${why}`
}

interface OpenedDocument {
  readonly document: ForeignDocument
  readonly format: Format
  readonly source: string
  readonly infos: readonly string[]
}

type Opened = OpenedDocument | { readonly findings: readonly Finding[] }

/** Reads a file and decides what it is. */
async function open(all: ProjectReading, file: string): Promise<Opened> {
  const { tree, projects, reading, options, packing } = all
  const fail = (message: string, rest: Partial<Finding> = {}): Opened => ({
    findings: [{ level: 'error', lint: 'document', file, ...lineIn(message), message, ...rest }],
  })
  const leftOut = (message: string): Opened => ({
    findings: [{ level: 'info', lint: 'project', file, message }],
  })
  const read = await readText(reading, { path: file, kind: 'document' })
  if ('problem' in read) return fail(read.problem)
  const parse = isToml(file) ? parseToml : parseYaml
  const [typed, text] = [await parse(read.text), await parse(read.text, { scalars: 'text' })]
  if (isManifest(read.text, 'value' in typed ? typed.value : undefined))
    return leftOut('is a manifest of Kubernetes and no challenge')
  if ('error' in typed) return fail(typed.error)
  if ('error' in text) return fail(text.error)
  const folder = file.slice(0, Math.max(0, file.length - baseName(file).length - 1))
  const infos: string[] = []
  const document: ForeignDocument = {
    typed: isMap(typed.value) ? typed.value : {},
    text: isMap(text.value) ? text.value : {},
    file,
    folder,
    tree,
    project: {
      rcds: projects.nearest('rcds', folder),
      konata: projects.nearest('konata', folder),
      ctfcli: projects.nearest('ctfcli', folder),
      packing,
    },
    options,
    info: (message) => void infos.push(message),
  }
  const chosen = options.format === null ? recognise(document) : { format: options.format }
  if ('problem' in chosen)
    return fail(chosen.problem, {
      field: chosen.field,
      line: await lineOf({ file, text: read.text }, [chosen.field]),
    })
  const { format } = chosen
  if (!isMap(typed.value)) return fail('must be a map of keys and values')
  const { ctfcli } = document.project
  const listed = format === 'ctfcli' && ctfcli ? listedBy(ctfcli) : null
  if (listed && ctfcli && !isListed(listed, file)) return leftOut(`is not listed in ${ctfcli.file}`)
  return { document, format, source: read.text, infos }
}

/** The other document of a folder, if the tools would take one of them by chance. */
function onlyOneOf(documents: readonly OpenedDocument[]) {
  const byFolder = new Map<string, string[]>()
  for (const { document } of documents)
    byFolder.set(document.folder, [...(byFolder.get(document.folder) ?? []), document.file])
  return ({ document: { folder, file } }: OpenedDocument): string | null =>
    byFolder.get(folder)?.find((other) => other !== file) ?? null
}

async function readOpened(all: ProjectReading, { document, format, source, infos }: OpenedDocument) {
  const { tree, reading } = all
  const { file, folder } = document
  const translations =
    format === 'pennant' ? [ownTranslation(document)] : await foreignFormats[format].read(document)
  const isForeign = format !== 'pennant'
  const results = await Promise.all(
    translations.map((translation) =>
      check({ ...reading, folder, isForeign }, translation, { file, format, text: source, tree }),
    ),
  )
  const notes = infos.map((message): Finding => ({ level: 'info', lint: 'project', file, message }))
  return {
    challenges: results.flatMap(({ challenge }) => challenge ?? []),
    findings: [...results.flatMap(({ findings }) => findings), ...notes],
    ids: translations.map(({ id }) => id),
  }
}

/** The line of a value in a document, or of its closest parent. */
async function lineOf(
  { file, text }: Pick<Source, 'file' | 'text'>,
  path: readonly string[],
): Promise<number> {
  return isToml(file) ? lineInToml(text, path) : await lineInYaml(text, path)
}

function lineIn(message: string) {
  const line = /at line (\d+)/.exec(message)?.[1]
  return line === undefined ? {} : { line: Number(line) }
}

/** The names of the folders are the id and the category, as in an archive. */
function ownTranslation(document: ForeignDocument): Translation {
  const content = document.typed
  const [category = '', id = ''] = ['', '', ...folderNames(document)].slice(-2)
  return {
    content: { ...content, category: content['category'] ?? (category || undefined) },
    defaults: {},
    id,
    otherIds: [],
    isNamed: false,
    problems: [],
    fields: {},
    at: [],
  }
}

/** Counted from the folder that was given; for a document in it, from the repository around it. */
function folderNames({ folder, tree }: ForeignDocument): string[] {
  if (folder !== '') return folder.split('/')
  return tree.root.split(/[/\\]/).slice(-Math.max(1, tree.above.length))
}

interface Source {
  readonly file: string
  readonly format: Format
  readonly text: string
  readonly tree: DiskTree
}

async function check(reading: FolderReading, translation: Translation, source: Source) {
  const { content, defaults, id, otherIds, isNamed, problems, fields, at } = translation
  const { file, format } = source
  const place = async (field: string) => {
    const [name = '', ...rest] = field.split('.')
    const foreign = fields[name]
    const path = [...at, ...(foreign === undefined ? [name, ...rest] : foreign.split('.'))]
    return { line: await lineOf(source, path), field: foreign ?? field }
  }
  // Absent and undefined are the same, but null is a value.
  const given = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined))
  // Other errors may be allowed.
  const isReady = !problems.some(({ level, lint }) => level === 'error' && FATAL.includes(lint))
  const read = isReady
    ? await readDocument(reading, { id, category: '' }, given)
    : { value: null, problems: [] }
  const findings = await Promise.all([
    ...problems.map(async (problem): Promise<Finding> => {
      const line = await lineOf(source, [...at, ...(problem.field ?? '').split('.')])
      return { ...problem, file, line, challenge: id }
    }),
    ...read.problems.map(async (reason): Promise<Finding> => {
      const problem = problemOf(reason)
      return { ...problem, file, ...(problem.field !== undefined && (await place(problem.field))) }
    }),
  ])
  // Without a parent folder, the document does not say the category.
  const isSilent = given['category'] === undefined
  const value = read.value && (isSilent ? { ...read.value, category: undefined } : read.value)
  if (value && !ChallengeId.safeParse(value.id).success)
    findings.push({
      level: 'error',
      lint: 'document',
      file,
      field: 'id',
      message: 'must be 1 to 255 characters',
    })
  const challenge = value && { file, format, value, defaults, otherIds, isNamed, place }
  return { challenge, findings }
}

const FATAL: readonly string[] = ['document', 'missing-file']
const UNKNOWN_KEY = /Unrecognized keys?: "([^"]+)"/
const MISSING = /there is no such file|is a folder: list|players never get|leads out of the repository/

/** `files: x.zip: there is no such file` names its field. */
function problemOf(reason: string): Problem {
  const [, named, message] = /^([\w.]+): ([^]*)$/.exec(reason) ?? []
  const unknown = UNKNOWN_KEY.exec(reason)?.[1]
  const field = [named, unknown].filter(Boolean).join('.') || undefined
  const base = { level: 'error', message: message ?? reason, ...(field !== undefined && { field }) } as const
  return { ...base, lint: MISSING.test(reason) ? 'missing-file' : 'document' }
}
