import { flagsOf, listOf, NEEDS_INSTANCE } from './ctfcli-flags.ts'
import { DEFAULT_POINTS } from './rcds-project.ts'
import { instanceOfType } from './ctfcli-instances.ts'
import { pointsOf, type CtfdChallenge } from './ctfcli-points.ts'
import { hintsOf } from './hints.ts'
import {
  ANY_ATTEMPTS,
  createReader,
  NOT_HERE,
  refuseType,
  translationOf,
  warnUnsupported,
  type Reader,
} from './reader.ts'
import {
  idOfName,
  isMap,
  keysIn,
  withConnection,
  type ForeignDocument,
  type ForeignFormat,
  type Signs,
  type Translation,
} from './translation.ts'

const LEFT_OUT = ['topics', 'next', 'solution', 'module', 'healthcheck', 'image', 'host', 'protocol']
const DEPLOYMENT = 'belongs to the deployment of the container, which Pennant leaves to you'
const DEPLOYED = ['containers', 'expose', 'replicas', 'hosting', 'hosting_type']

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
  instancer: 'extra',
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
  const extra = reader.map('extra')
  const challenge = { reader, extra, type: reader.string('type') || 'standard' }
  /** CTFd takes what `extra` has instead of the key at the top. */
  const sent = (name: string) => {
    const [above, below] = [extra.string(name), reader.string(name)]
    return above ?? below
  }
  const name = sent('name')
  if (name === undefined) reader.report('name', 'is missing')
  warnOfRest(challenge)
  const [attribution, author] = [sent('attribution'), authorOf(reader)]
  const content = {
    name,
    author: attribution ?? author,
    category: sent('category'),
    description: descriptionOf(sent('description'), sent('connection_info')?.trimEnd()),
    ...pointsOf(challenge),
    flags: flagsOf(challenge),
    hints: listOf(reader, 'hints', () => hintsOf(reader.items('hints'), 'content')),
    files: listOf(reader, 'files', () => reader.strings('files')),
    tags: listOf(reader, 'tags', () => reader.strings('tags')),
    hidden: isHidden(challenge),
    releaseTime: reader.instant('scheduled_at'),
    prerequisites: prerequisitesOf(reader),
    instancer: instanceOfType(document, challenge),
  }
  return translationOf(reader, {
    content,
    id: idOfName(document, name),
    isNamed: true,
    fields: FIELDS,
    defaults: {
      hidden: false,
      ...(!('points' in content) && { points: DEFAULT_POINTS, scoring: { kind: 'decay' } }),
    },
  })
}

/** ctfcli never sends it, so it accepts everything there. */
function authorOf(reader: Reader): string | undefined {
  const given = reader.raw('author')
  const names: readonly unknown[] = Array.isArray(given) ? given : [given]
  if (names.every((name) => name === undefined || typeof name === 'string'))
    return reader.strings('author')?.join(', ')
  warnUnsupported(reader, ['author'], 'is neither text nor a list of texts and is left out')
  return undefined
}

function descriptionOf(description: string | undefined, info = ''): string | undefined {
  if (info === '') return description
  return withConnection(description ?? '', info.split('\n'))
}

/** What has no counterpart, and what would make a challenge easier if it were left out. */
function warnOfRest({ reader, extra }: CtfdChallenge): void {
  reader.ignore('version')
  warnUnsupported(reader, LEFT_OUT, NOT_HERE)
  warnUnsupported(reader, DEPLOYED, DEPLOYMENT)
  for (const [from, name] of [
    [reader, 'attempts'],
    [extra, 'max_attempts'],
  ] as const)
    if ((from.integer(name) ?? 0) > 0) from.warn(name, ANY_ATTEMPTS)
  const logic = reader.string('logic') || 'any'
  if (logic !== 'any' && reader.list('flags').length > 1)
    reader.report('logic', `${logic} is not supported: any of the flags would solve the challenge`, {
      lint: 'requirements',
    })
}

const TYPES: readonly string[] = ['standard', 'dynamic', 'multiple_choice', ...NEEDS_INSTANCE]

/** ctfcli publishes what has no state, or exactly `visible`; null and anything else stays hidden. */
function isHidden({ reader, extra, type }: CtfdChallenge): boolean | undefined {
  if (type === 'multiple_choice')
    reader.warn('type', 'multiple_choice: the choices are only text, players type their answer')
  const states = [reader.typed('state'), extra.typed('state')].filter((state) => state !== undefined)
  const isStateHidden = states.some((state) => state !== 'visible')
  if (!TYPES.includes(type) && isStateHidden)
    reader.warn('type', `${type} is not known: set up the hidden challenge on the site`, { lint: 'type' })
  else if (!TYPES.includes(type)) refuseType(reader, 'type', `${type} is not known`)
  for (const state of states)
    if (state !== 'visible' && state !== 'hidden' && state !== null)
      reader.warn('state', `${JSON.stringify(state)} is neither visible nor hidden and hides the challenge`)
  // A challenge or a flag of a type that does not exist here.
  if (reader.all().some(({ lint }) => lint === 'type')) return true
  return states.length === 0 ? undefined : isStateHidden
}

/** Names of challenges; the site or the folder has their ids. What cannot be carried over would leave the challenge open. */
function prerequisitesOf(reader: Reader): readonly string[] | undefined {
  const given = reader.raw('requirements')
  if (given === undefined) return undefined
  const map = isMap(given) ? reader.map('requirements') : null
  const isAnonymous = map?.raw('anonymize') !== undefined && map.string('anonymize') !== 'false'
  if (isAnonymous) reader.warn('requirements.anonymize', 'is not supported: locked challenges are not shown')
  const [texts, types] = map
    ? [map.raw('prerequisites') ?? [], map.typed('prerequisites')]
    : [given, reader.typed('requirements')]
  if (texts === '') return []
  if (!Array.isArray(texts) || texts.some((each) => typeof each !== 'string')) {
    reader.report('requirements', 'must be a list of names of challenges', { lint: 'requirements' })
    return undefined
  }
  const names: readonly string[] = texts
  return names.filter((name, index) => {
    if (!Array.isArray(types) || typeof types[index] !== 'number') return true
    const message = `${name} is an id of another site; write the name of the challenge`
    reader.report('requirements', message, { lint: 'requirements' })
    return false
  })
}
