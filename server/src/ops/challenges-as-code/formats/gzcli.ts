import { countCarriers, MIN_CARRIERS, parseBase } from '../../../providers/flags/minting.ts'
import { reportAt, staticFlag } from './ctfd-flags.ts'
import { curveMessage, gzctf } from './curves.ts'
import { providedFile } from './gzcli-files.ts'
import { instancerOf, templateHolder } from './gzcli-container.ts'
import { createFill, placeOf, type Fill } from './gzcli-template.ts'
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
  type ForeignDocument,
  type ForeignFormat,
  type Json,
  type Translation,
} from './translation.ts'

const TYPES = ['StaticAttachment', 'StaticContainer', 'DynamicAttachment', 'DynamicContainer']
/** Kinds of contests that have no counterpart. */
const OTHER_TYPES = ['AttackDefense', 'KingOfTheHill']

/** `challenge.yml` of gzcli, the tool of GZCTF, whose identity is the name. */
export const gzcli: ForeignFormat = {
  // Names that only end like this are read too.
  documents: /challenge\.ya?ml$/,
  isSharingFolders: true,
  signs({ typed }) {
    const { type, provide, container } = typed
    const isType = [...TYPES, ...OTHER_TYPES].includes(String(type))
    return {
      found: [
        ...(isType ? [`\`type: ${String(type)}\``] : []),
        ...(typeof provide === 'string' ? ['`provide` as text'] : []),
        ...(isMap(container) && 'containerImage' in container ? ['`containerImage`'] : []),
      ],
      against: keysIn(typed, [
        'flag',
        'extra',
        'state',
        'points',
        'scoring',
        'hidden',
        'instancer',
        'expose',
      ]),
    }
  },
  async read(document) {
    // `.example` and `.structure` have templates.
    const isTemplate = /(?:^|\/)\./.test(document.folder)
    if (isTemplate) document.info('is left out: in a hidden folder, as templates of gzcli are')
    return isTemplate ? [] : [await fromGzcli(document)]
  },
}

const FIELDS = {
  id: 'name',
  points: 'value',
  scoring: 'value',
  files: 'provide',
  hidden: 'visible',
  instancer: 'container',
}

async function fromGzcli(document: ForeignDocument): Promise<Translation> {
  const reader = createReader(document)
  const name = reader.string('name')
  const fill = createFill(document, reader, name)
  if (name === undefined) reader.report('name', 'is missing')
  const type = reader.string('type') ?? ''
  const isOther = OTHER_TYPES.includes(type)
  if (isOther) refuseType(reader, 'type', `${type} is not supported`)
  else if (!TYPES.includes(type)) reader.report('type', `must be one of ${TYPES.join(', ')}`)
  const visible = reader.boolean('visible')
  const category = reader.string('category')
  warnOfRest(reader)
  const container = reader.map('container')
  const hasInstance = reader.has('container') || type.endsWith('Container')
  const hints = reader.strings('hints')?.filter((hint) => hint !== '')
  const content = {
    name,
    author: reader.string('author'),
    category: placeOf(document).category ?? category,
    description: fill('description', reader.string('description')),
    ...pointsOf(reader),
    flags: flagsOf(document, reader, fill),
    hints: hints?.map((hint) => ({ text: fill('hints', hint), release: { after: 0 } })),
    files: await filesOf(document, reader, fill),
    hidden: isOther ? true : visible === undefined ? undefined : !visible,
    instancer: hasInstance ? instancerOf({ document, reader, container, fill }) : undefined,
  }
  return translationOf(reader, { content, id: idOfName(document, name), isNamed: true, fields: FIELDS })
}

async function filesOf(document: ForeignDocument, reader: Reader, fill: Fill) {
  const given = fill('provide', reader.string('provide'))
  if (given === undefined) return undefined
  return given === '' ? [] : await providedFile(document, reader, given)
}

function warnOfRest(reader: Reader): void {
  warnUnsupported(reader, ['scripts', 'dashboard'], 'belongs to gzcli and is left out')
  for (const name of ['disableBloodBonus', 'enableTrafficCapture'])
    if (reader.boolean(name) === true) reader.warn(name, NOT_HERE)
  const isSet = (name: string) => !['', '0', undefined].includes(reader.raw(name) as string | undefined)
  if (isSet('submissionLimit')) reader.warn('submissionLimit', ANY_ATTEMPTS)
  if (isSet('deadlineUtc'))
    reader.report(
      'deadlineUtc',
      'is not supported: submissions would be accepted until the end of the event',
      { lint: 'requirements' },
    )
}

/** From here on the points fall to a tenth; fewer stay. */
const MIN_FALLING = 100
const RATE = 0.1
/** The difficulty of a challenge that gzcli creates. */
const DIFFICULTY = 5

function pointsOf(reader: Reader) {
  const given = reader.integer('value')
  if (given === undefined) reader.warn('value', 'is missing: the challenge is worth 0 points')
  const value = given ?? 0
  const rate = numberOf(reader, 'minScoreRate') ?? (value < MIN_FALLING ? 1 : RATE)
  const difficulty = numberOf(reader, 'difficulty') ?? DIFFICULTY
  const points = { min: Math.floor(value * rate), max: value }
  if (points.min >= value) return { points: { min: value, max: value }, scoring: { kind: 'static' } }
  reader.warn('value', curveMessage('GZCTF', points, gzctf(value, { rate, difficulty })), {
    reason: 'points',
  })
  return { points, scoring: { kind: 'decay' } }
}

function numberOf(reader: Reader, name: string): number | undefined {
  const text = reader.string(name)
  if (text === undefined || text === '') return undefined
  if (/^\d{1,6}(?:\.\d{1,6})?$/.test(text) && Number(text) > 0) return Number(text)
  reader.report(name, 'must be a number above 0')
  return undefined
}

function flagsOf(document: ForeignDocument, reader: Reader, fill: Fill): readonly unknown[] | undefined {
  const holder = templateHolder(reader)
  const template = holder.string('flagTemplate')
  const minted = template === undefined || template === '' ? null : mintedFlag(template, holder)
  const listed = reader.raw('flags') === undefined ? undefined : (reader.strings('flags') ?? [])
  const flags = listed?.flatMap((flag, index) =>
    staticFlag(fill('flags', flag) ?? '', reportAt(reader, `flags.${index}`)),
  )
  if (minted === null) return flags
  if (!document.options.instances)
    holder.warn('flagTemplate', 'is a flag for each team, which players only get from an instance', {
      lint: 'instance',
    })
  return [...(flags ?? []), minted]
}

/** Longer ones are refused when they are stored. */
const MAX_TEMPLATE_LENGTH = 1000
const TAIL_MARKS = /\[(?:TEAM_HASH|GUID|UUID)\]/g
const LEET_MARK = /^\[C?LEET\]/

/** The template of the flags of teams: its marks are what differs between them. Without any, the letters do. */
function mintedFlag(template: string, holder: Reader): Json | null {
  const isLong = template.length > MAX_TEMPLATE_LENGTH
  const hasTail = template.search(TAIL_MARKS) !== -1
  const marked = isLong ? '' : template.trim().replace(LEET_MARK, '').replaceAll(TAIL_MARKS, '')
  const base = marked.replace(/[_-]+\}$/, '}')
  const parsed = parseBase(base)
  if (parsed === null) {
    holder.report(
      'flagTemplate',
      'must be like prefix{content} in printable ASCII, such as flag{[TEAM_HASH]}',
    )
    return null
  }
  // Too few letters have too few variants.
  const isLeet = !hasTail && countCarriers(parsed) >= MIN_CARRIERS
  return { kind: 'dynamic', base, mode: isLeet ? 'leet' : 'tail' }
}
