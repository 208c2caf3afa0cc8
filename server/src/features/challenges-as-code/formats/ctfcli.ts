import { hintsOf } from './hints.ts'
import { createReader, warnUnsupported, type Reader } from './reader.ts'
import { caseInsensitive, fromPython, patternEntry } from './regex-flag.ts'
import {
  isMap,
  keysIn,
  slugOf,
  withConnection,
  type ForeignDocument,
  type ForeignFormat,
  type Signs,
  type Translation,
} from './translation.ts'

const NOT_HERE = 'has no counterpart in Pennant and is left out'
const LEFT_OUT = [
  'topics',
  'next',
  'attempts',
  'solution',
  'module',
  'healthcheck',
  'image',
  'host',
  'protocol',
]

const FIELDS = {
  id: 'name',
  description: 'description',
  author: 'author',
  points: 'value',
  scoring: 'type',
  files: 'files',
  flags: 'flags',
  hints: 'hints',
  hidden: 'state',
  releaseTime: 'scheduled_at',
  prerequisites: 'requirements',
}

const KEYS = ['value', 'extra', 'state', 'version', 'attribution', 'connection_info', 'topics']
const OTHERS = ['flag', 'points', 'scoring', 'instancer', 'adminBot', 'challenges']

export const ctfcli: ForeignFormat = {
  documents: /^challenge\.ya?ml$/,
  signs,
  read: async (document) => [fromCtfcli(document)],
}

function signs({ text, file, project }: ForeignDocument): Signs {
  const flag: unknown = Array.isArray(text['flags']) ? text['flags'][0] : undefined
  const isFlag = typeof flag === 'string' || (isMap(flag) && ('content' in flag || 'type' in flag))
  const isInProject = project.ctfcli !== null && file.endsWith('.yml')
  return {
    found: [
      ...(isFlag ? ['`flags`'] : []),
      ...keysIn(text, KEYS),
      ...(isInProject ? [project.ctfcli.file] : []),
    ],
    against: [...keysIn(text, OTHERS), ...(Array.isArray(text['provide']) ? ['`provide`'] : [])],
  }
}

/** `challenge.yml` of ctfcli, whose identity is the name. */
function fromCtfcli(document: ForeignDocument): Translation {
  const reader = createReader(document)
  const name = reader.string('name')
  if (name === undefined) reader.report('name', 'is missing')
  warnUnsupported(reader, LEFT_OUT, NOT_HERE)
  reader.ignore('version')
  checkMeaning(reader)
  const files = reader.strings('files')
  const tags = reader.strings('tags')
  const info = reader.string('connection_info')
  const description = reader.string('description')
  const state = reader.string('state')
  const content = {
    name,
    author: reader.string('attribution') ?? reader.string('author'),
    category: reader.string('category'),
    description:
      description === undefined && info === undefined
        ? undefined
        : withConnection(description ?? '', info === undefined ? [] : info.split('\n')),
    ...valueOf(reader),
    flags: reader.raw('flags') === undefined ? undefined : flagsOf(reader),
    hints: hintsOf(reader.raw('hints'), { reader, field: 'hints', textKey: 'content' }),
    files,
    tags,
    hidden: state === undefined ? undefined : state !== 'visible',
    releaseTime: reader.instant('scheduled_at'),
    prerequisites: prerequisitesOf(reader),
  }
  return {
    content,
    defaults: { hidden: false },
    id: slugOf(name ?? '') || slugOf(document.folder) || 'challenge',
    otherIds: [],
    isNamed: true,
    problems: reader.all(),
    fields: FIELDS,
    at: [],
  }
}

/** What would make a challenge easier or open if it were left out. */
function checkMeaning(reader: Reader): void {
  const logic = reader.string('logic') ?? 'any'
  if (logic !== 'any' && reader.list('flags').length > 1)
    reader.report('logic', `${logic} is not supported: any of the flags would solve the challenge`, {
      lint: 'requirements',
    })
}

/** Names of challenges, as the ids that they have here. What cannot be carried over would leave the challenge open. */
function prerequisitesOf(reader: Reader): readonly string[] | undefined {
  const given = reader.raw('requirements')
  if (given === undefined) return undefined
  const needed = isMap(given) ? (given['prerequisites'] ?? []) : given
  const anonymize = isMap(given) ? given['anonymize'] : undefined
  if (typeof anonymize === 'string' && /^(?:true|yes|on|1)$/i.test(anonymize))
    reader.report('requirements', 'anonymize is not supported: locked challenges are not shown', {
      level: 'warning',
      lint: 'unsupported',
    })
  if (!Array.isArray(needed) || needed.some((each) => typeof each !== 'string')) {
    reader.report('requirements', 'must be a list of names of challenges', { lint: 'requirements' })
    return undefined
  }
  const names: readonly string[] = needed
  return names.flatMap((name) => {
    if (!/^\d+$/.test(name)) return slugOf(name)
    const message = `${name} is an id of another site; write the name of the challenge`
    reader.report('requirements', message, { lint: 'requirements' })
    return []
  })
}

function valueOf(reader: Reader) {
  const type = reader.string('type') ?? 'standard'
  const extra = reader.map('extra')
  const value = reader.integer('value')
  if (type === 'dynamic') {
    const max = extra.integer('initial') ?? value
    const min = extra.integer('minimum') ?? max
    if (max === undefined) reader.report('extra', 'initial is missing')
    return { points: { min, max }, scoring: { kind: 'decay' } }
  }
  if (type !== 'standard')
    reader.report('type', `${type} is read as standard`, { level: 'warning', lint: 'unsupported' })
  if (value === undefined) reader.report('value', 'is missing')
  return { points: { min: value ?? 0, max: value ?? 0 }, scoring: { kind: 'static' } }
}

function flagsOf(reader: Reader): unknown[] {
  return reader.list('flags').flatMap((flag, index): unknown[] => {
    const refuse = (message: string) => {
      reader.report(`flags.${index}`, message)
      return []
    }
    if (typeof flag === 'string') return [{ kind: 'static', flag }]
    if (!isMap(flag)) return refuse('must be text or a map')
    return flagOf(flag, refuse)
  })
}

/** A flag as CTFd stores it: `{ type, content, data }`. */
export function flagOf(
  { type = 'static', content, data }: Readonly<Record<string, unknown>>,
  refuse: (message: string) => unknown[],
): unknown[] {
  const isInsensitive = data === 'case_insensitive'
  if (typeof content !== 'string' || content === '') return refuse('content is missing')
  if (type === 'static')
    return isInsensitive ? [caseInsensitive(content)] : [{ kind: 'static', flag: content }]
  if (type !== 'regex') return refuse(`the type ${String(type)} is not supported`)
  const translated = fromPython(content, isInsensitive)
  return 'problem' in translated
    ? refuse(`content: ${translated.problem}`)
    : [patternEntry(translated.pattern, translated.flags)]
}
