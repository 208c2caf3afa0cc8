import { ChallengeId } from '@pennant/contract/fields.ts'
import {
  readDocument,
  readText,
  startReading,
  type FolderReading,
} from '../challenge-archive/read-folders.ts'
import { MAX_CHALLENGES } from '../challenge-archive/limits.ts'
import type { ChallengeValue } from '../challenge-archive/value.ts'
import { lineOf, parseYaml } from '../challenge-archive/yaml.ts'
import type { DiskTree } from './disk-tree.ts'
import type { Finding } from './finding.ts'
import { fromCtfcli } from './formats/ctfcli.ts'
import { fromKonata } from './formats/konata.ts'
import { fromRcds } from './formats/rcds.ts'
import { isMap, type Format, type Problem, type Project, type Translation } from './formats/translation.ts'
import { documentsOf, formatOf, readProject } from './project.ts'

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

export interface ReadOptions {
  /** Null if each document shows it. */
  readonly format: Format | null
  readonly domain: string | null
}

interface ProjectReading {
  readonly tree: DiskTree
  readonly project: Project
  readonly reading: ReturnType<typeof startReading>
  readonly options: ReadOptions
}

/** Reads all challenges of a folder and reports everything that is wrong with them. */
export async function readChallenges(tree: DiskTree, options: ReadOptions): Promise<ReadProject> {
  const { project, findings } = await readProject(tree, options.domain)
  const documents = documentsOf(tree, project)
  const found = [...findings]
  if (documents.length === 0)
    found.push(folderError('there is no challenge.yaml, challenge.yml or kona.yaml'))
  if (documents.length > MAX_CHALLENGES) {
    found.push(folderError(`there are more than ${MAX_CHALLENGES} challenges`))
    return { challenges: [], findings: found }
  }
  const reading = startReading(tree, documents)
  const challenges: LocalChallenge[] = []
  for (const file of documents) {
    const read = await readFile({ tree, project, reading, options }, file)
    challenges.push(...read.challenges)
    found.push(...read.findings)
  }
  return { challenges, findings: found }
}

function folderError(message: string): Finding {
  return { level: 'error', lint: 'document', file: '', message }
}

async function readFile(all: ProjectReading, file: string): Promise<ReadProject> {
  const { tree, project, reading, options } = all
  const fail = (message: string): ReadProject => ({
    challenges: [],
    findings: [{ level: 'error', lint: 'document', file, ...lineIn(message), message }],
  })
  const read = await readText(reading, { path: file, kind: 'document' })
  if ('problem' in read) return fail(read.problem)
  const [typed, text] = [await parseYaml(read.text), await parseYaml(read.text, { scalars: 'text' })]
  if ('error' in typed) return fail(typed.error)
  if ('error' in text) return fail(text.error)
  const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')))
  const format = options.format ?? formatOf(file, typed.value, project)
  if (format !== 'pennant' && !(isMap(typed.value) && isMap(text.value))) return fail('must be a map')
  const document = {
    typed: isMap(typed.value) ? typed.value : {},
    text: isMap(text.value) ? text.value : {},
    folder,
    tree,
    project,
  }
  const translations =
    format === 'pennant'
      ? [ownTranslation(folder, typed.value)]
      : format === 'konata'
        ? await fromKonata(document)
        : [await (format === 'rcds' ? fromRcds(document) : fromCtfcli(document))]
  const results = await Promise.all(
    translations.map((translation) =>
      check({ ...reading, folder }, translation, { file, format, text: read.text, tree }),
    ),
  )
  return {
    challenges: results.flatMap(({ challenge }) => challenge ?? []),
    findings: results.flatMap(({ findings }) => findings),
  }
}

function lineIn(message: string) {
  const line = /at line (\d+)/.exec(message)?.[1]
  return line === undefined ? {} : { line: Number(line) }
}

/** The names of the folders are the id and the category, as in an archive. */
function ownTranslation(folder: string, content: unknown): Translation & { readonly isOwn: true } {
  const [category = '', id = ''] = ['', '', ...folder.split('/')].slice(-2)
  const named = isMap(content)
    ? { ...content, category: content['category'] ?? (category || undefined) }
    : content
  return {
    content: named as Translation['content'],
    defaults: {},
    id,
    otherIds: [],
    isNamed: false,
    problems: [],
    fields: {},
    at: [],
    isOwn: true,
  }
}

interface Source {
  readonly file: string
  readonly format: Format
  readonly text: string
  readonly tree: DiskTree
}

async function check(reading: FolderReading, translation: Translation, source: Source) {
  const { content, defaults, id, otherIds, isNamed, problems, fields, at } = translation
  const { file, format, text } = source
  const place = async (field: string) => {
    const [name = '', ...rest] = field.split('.')
    const foreign = fields[name]
    const path = [...at, ...(foreign === undefined ? [name, ...rest] : foreign.split('.'))]
    return { line: await lineOf(text, path), field: foreign ?? field }
  }
  // Absent and undefined are the same, but null is a value.
  const given = isMap(content)
    ? Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined))
    : content
  // Other errors may be allowed.
  const isReady = !problems.some(({ level, lint }) => level === 'error' && FATAL.includes(lint))
  const read = isReady
    ? await readDocument(reading, { id, category: '' }, given)
    : { value: null, problems: [] }
  const findings = await Promise.all([
    ...problems.map(async (problem): Promise<Finding> => {
      const line = await lineOf(text, [...at, ...(problem.field ?? '').split('.')])
      return { ...problem, file, line, challenge: id }
    }),
    ...read.problems.map(async (reason): Promise<Finding> => {
      const problem = problemOf(reason, source.tree, reading.folder)
      return { ...problem, file, ...(problem.field !== undefined && (await place(problem.field))) }
    }),
  ])
  // Without a parent folder, the document does not say the category.
  const isSilent = isMap(given) && given['category'] === undefined
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
const MISSING = /there is no (?:such )?file/

/** `files: x.zip: there is no such file` names its field. */
function problemOf(reason: string, { links }: DiskTree, folder: string): Problem {
  const [, named, message] = /^([\w.]+): ([^]*)$/.exec(reason) ?? []
  const unknown = UNKNOWN_KEY.exec(reason)?.[1]
  const field = [named, unknown].filter(Boolean).join('.') || undefined
  const base = { level: 'error', message: message ?? reason, ...(field !== undefined && { field }) } as const
  if (!MISSING.test(reason)) return { ...base, lint: 'document' }
  const link = [...links].find(
    (path) => path.startsWith(folder) && reason.includes(path.slice(folder.length + 1)),
  )
  const why = link === undefined ? '' : ' (symbolic links are not followed)'
  return { ...base, lint: 'missing-file', message: base.message + why }
}
