import { definedOf } from '../../lib/defined-of.ts'
import { ChallengeId } from '@pennant/contract/fields.ts'
import { readDocument } from '../../features/organisers/archives/read-folders.ts'
import type { ChallengeValue } from '../../features/organisers/archives/value.ts'
import type { Finding } from './finding.ts'
import type { Format, Problem, Translation } from './formats/translation.ts'
import type { OpenedDocument, ProjectReading } from './open-document.ts'
import { textsOf } from '../../features/organisers/archives/pictures.ts'

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
  readonly place: (field: string) => { readonly line: number; readonly field: string }
}

/** A finding about a field of ours, with its place in the document. */
export function findingAt(
  { file, value, place }: Pick<LocalChallenge, 'file' | 'value' | 'place'>,
  field: string,
  finding: Pick<Finding, 'level' | 'lint' | 'message' | 'reason'>,
): Finding {
  return { ...finding, file, ...place(field), challenge: value.id }
}

interface Checked {
  /** Null if something is wrong that no one can allow. */
  readonly challenge: LocalChallenge | null
  readonly findings: readonly Finding[]
}

/** Checks what a document says with the rules of our own format. */
export async function checkTranslation(
  { reading }: ProjectReading,
  translation: Translation,
  { document: { file, folder }, format, lineOf }: OpenedDocument,
): Promise<Checked> {
  const { content, defaults, id, otherIds, isNamed, problems, fields, at } = translation
  const isForeign = format !== 'pennant'
  const placeOf = (field: string) => {
    const [name = '', ...rest] = field.split('.')
    const foreign = fields[name]
    const path = [...at, ...(foreign === undefined ? [name, ...rest] : foreign.split('.'))]
    return { line: lineOf(path), field: foreign ?? field }
  }
  // Absent and undefined are the same, but null is a value.
  const given = definedOf(content)
  // Other errors may be allowed.
  const isReady = !problems.some(({ level, lint }) => level === 'error' && FATAL.includes(lint))
  const read = isReady
    ? await readDocument({ ...reading, folder, isForeign }, { id, category: '' }, given)
    : { value: null, problems: [] }
  // Without a parent folder, the document does not say the category.
  const isSilent = given['category'] === undefined
  const value = read.value && (isSilent ? { ...read.value, category: undefined } : read.value)
  const findings: Finding[] = [
    ...problems.map((problem) => ({
      ...problem,
      file,
      line: lineOf([...at, ...(problem.field ?? '').split('.')]),
      challenge: id,
    })),
    ...read.problems.map((reason) => {
      const problem = problemOf(reason)
      return { ...problem, file, challenge: id, ...(problem.field !== undefined && placeOf(problem.field)) }
    }),
    ...(value ? oddities({ ...defaults, ...value }, isForeign) : []).map(({ field, ...problem }) => ({
      ...problem,
      file,
      challenge: id,
      ...placeOf(field),
    })),
  ]
  if (value && !ChallengeId.safeParse(value.id).success) {
    const message = 'must be 1 to 255 characters'
    findings.push({ level: 'error', lint: 'document', file, field: 'id', message })
  }
  return {
    challenge: value && { file, format, value, defaults, otherIds, isNamed, place: placeOf },
    findings,
  }
}

/** `{instancer}` and `{instancer_token}` are filled in by a fork of rCTF. */
const TEMPLATE = /\{\{[^{}\n]{0,200}\}\}|\{%[^%\n]{0,200}%\}|\$\{\w{1,60}\}|\{instancer(?:_token)?\}/

interface Oddity extends Problem {
  readonly field: string
}

/** What is valid, and most likely not meant. A document of our own leaves out what the site decides. */
function oddities(value: Partial<ChallengeValue>, isForeign: boolean): Oddity[] {
  const { hidden, flags, category, scoring, files = [] } = value
  const found: Oddity[] = []
  const hasNoFlag = isForeign ? (flags ?? []).length === 0 : flags?.length === 0
  if (hidden === false && hasNoFlag && scoring?.kind !== 'dynamic') found.push(NO_FLAG)
  if (isForeign ? (category ?? '').trim() === '' : category?.trim() === '') found.push(NO_CATEGORY)
  const twice = files.find(({ name }, index) => files.findIndex((file) => file.name === name) < index)
  if (twice) found.push({ ...SAME_NAME, message: `two files have the name ${twice.name}` })
  if (!isForeign) return found
  const [left] = textsOf(value).flatMap((text) => TEMPLATE.exec(text) ?? [])
  const message = `shows ${left} to players: write what it means`
  if (left !== undefined) found.push({ ...TEMPLATE_LEFT, message })
  return found
}

const SAME_NAME = {
  level: 'warning',
  lint: 'file-name',
  field: 'files',
  reason: 'two files have one name',
} as const
const NO_FLAG: Oddity = {
  level: 'warning',
  lint: 'no-flag',
  field: 'flags',
  message: 'is empty: players see the challenge and cannot solve it',
}
const NO_CATEGORY: Oddity = {
  level: 'warning',
  lint: 'no-category',
  field: 'category',
  message: 'is empty: write a category',
}
const TEMPLATE_LEFT = {
  level: 'warning',
  lint: 'template-left',
  field: 'description',
  reason: 'shows a template to players',
} as const

const FATAL: readonly string[] = ['document', 'missing-file']
const UNKNOWN_KEY = /has unknown keys: ([\w-]+)/
const MISSING =
  /there is no such file|is a folder: list|players never get|leads out of the repository|the path is absolute/

/** `files: x.zip: there is no such file` names its field. */
function problemOf(reason: string): Problem {
  const [, named, message] = /^([\w.]+): ([^]*)$/.exec(reason) ?? []
  const unknown = UNKNOWN_KEY.exec(reason)?.[1]
  const field = [named, unknown].filter(Boolean).join('.') || undefined
  const base = { level: 'error', message: message ?? reason, ...(field !== undefined && { field }) } as const
  return { ...base, lint: MISSING.test(reason) ? 'missing-file' : 'document' }
}
