import { HALF_VALUE_SOLVES, STEEPNESS } from '../../../providers/scores/classic.ts'
import { staticFlag, reportAt } from './ctfd-flags.ts'
import { ctfdLogarithmic, curveMessage, noctfExponential, type Bounds, type Curve } from './curves.ts'
import { titled } from './hints.ts'
import { linkOf } from './provide.ts'
import { createReader, refuseType, translationOf, type Reader } from './reader.ts'
import { caseInsensitive, patternEntry } from './regex-flag.ts'
import {
  withConnection,
  type ForeignDocument,
  type ForeignFormat,
  type Json,
  type Translation,
} from './translation.ts'

/** `noctf.yaml` of noctfcli, whose identity is the slug. */
export const noctfcli: ForeignFormat = {
  documents: /^(?:noctf|challenge)\.ya?ml$/,
  signs({ typed, file }) {
    const hasKeys = ['slug', 'title', 'categories'].every((key) => key in typed)
    const isNamed = /(?:^|\/)noctf\.ya?ml$/.test(file)
    return {
      found: [
        ...(isNamed ? ['the name noctf.yaml'] : []),
        ...(hasKeys ? ['`slug`, `title` and `categories`'] : []),
      ],
      against: [],
    }
  },
  read: async (document) => [fromNoctf(document)],
}

const FIELDS = {
  id: 'slug',
  name: 'title',
  category: 'categories',
  points: 'scoring',
  releaseTime: 'visible_at',
}

function fromNoctf(document: ForeignDocument): Translation {
  const reader = createReader(document)
  for (const name of ['slug', 'title', 'categories']) if (!reader.has(name)) reader.report(name, 'is missing')
  const [category, ...categories] = reader.strings('categories') ?? []
  const difficulty = reader.string('difficulty')
  const tags = reader.map('tags')
  const info = reader.string('connection_info')?.trimEnd() ?? ''
  const hidden = reader.boolean('hidden')
  const isManual = isSolvedByHand(reader)
  reader.ignore('version')
  const content = {
    name: reader.string('title'),
    author: reader.strings('author')?.join(', '),
    category,
    description: withConnection(reader.string('description') ?? '', info === '' ? [] : info.split('\n')),
    tags: [...categories, difficulty, ...tags.keys().map((key) => tags.string(key))].filter(Boolean),
    ...pointsOf(reader),
    flags: reader.raw('flags') === undefined ? undefined : flagsOf(reader),
    hints: reader.raw('hints') === undefined ? undefined : hintsOf(reader),
    files: reader.raw('files') === undefined ? undefined : filesOf(reader),
    hidden: isManual ? true : hidden,
    releaseTime: reader.instant('visible_at'),
  }
  return translationOf(reader, { content, id: reader.string('slug') ?? 'challenge', fields: FIELDS })
}

function isSolvedByHand(reader: Reader): boolean {
  const solve = reader.map('solve')
  const source = solve.string('source') ?? 'flag'
  solve.ignore('input_type', 'allow_cancel', 'weight_update_key')
  if (source === 'flag') return false
  refuseType(solve, 'source', `${source} is not supported: only flags are`)
  return true
}

function flagsOf(reader: Reader): unknown[] {
  const given =
    typeof reader.raw('flags') === 'string' ? (reader.strings('flags') ?? []) : reader.items('flags')
  return given.flatMap((flag, index): unknown[] => {
    const report = reportAt(reader, `flags.${index}`)
    if (typeof flag === 'string') return staticFlag(flag, report)
    const [data, strategy] = [flag.string('data') ?? '', flag.string('strategy') ?? 'case_sensitive']
    if (strategy === 'case_sensitive') return staticFlag(data, report)
    if (strategy === 'case_insensitive')
      return staticFlag(data, report).map((entry) => caseInsensitive(entry.flag))
    if (strategy === 'regex_sensitive') return [patternEntry(data, '')]
    if (strategy === 'regex_insensitive') return [patternEntry(data, 'i')]
    flag.report(
      'strategy',
      `${strategy} is not supported; write case_sensitive, case_insensitive or a regex_ strategy`,
    )
    return []
  })
}

function hintsOf(reader: Reader): Json[] {
  return reader.items('hints').map((hint) => {
    const release = { after: 0 }
    if (typeof hint === 'string') return { text: hint, release }
    const [title, text] = [hint.string('title'), hint.string('description') ?? '']
    return { text: text === '' ? (title ?? '') : titled(title, text), release }
  })
}

function filesOf(reader: Reader): unknown[] {
  return reader.items('files').flatMap((file): unknown[] => {
    if (typeof file === 'string') return [file]
    const [url, size] = [file.string('url'), file.integer('size')]
    file.ignore('hash')
    if (url === undefined) file.report('url', 'is missing')
    const link = url === undefined ? null : linkOf(file, 'url', url)
    return link === null ? [] : [{ ...(link as Json), size: size ?? null }]
  })
}

function pointsOf(reader: Reader): Json {
  const scoring = reader.map('scoring')
  const params = scoring.map('params')
  const strategy = (scoring.string('strategy') ?? 'static').replace(/^core:/, '')
  if (scoring.has('bonus'))
    scoring.warn('bonus', 'has no counterpart in Pennant: the first solvers get the same points')
  if (strategy === 'static') {
    const base = params.integer('base') ?? 100
    return { points: { min: base, max: base }, scoring: { kind: 'static' } }
  }
  if (strategy === 'bounded_weight') {
    const points = { min: params.integer('lower') ?? 0, max: params.integer('upper') ?? 0 }
    const message = 'is pushed from outside: create the challenge on the site first, which makes its secret'
    scoring.warn('strategy', message)
    return { points, scoring: { kind: 'dynamic' } }
  }
  if (strategy !== 'quadratic' && strategy !== 'exponential') {
    scoring.report('strategy', `${strategy} is not supported; write static, quadratic or exponential`)
    return {}
  }
  const points = { min: boundOf(params, 'minimum'), max: boundOf(params, 'initial') }
  const curve =
    strategy === 'quadratic' ? ctfdLogarithmic(points, params.integer('decay') ?? 0) : curveOf(points, params)
  if (curve !== null) reader.warn('scoring', curveMessage('noCTF', points, curve), { reason: 'points' })
  return { points, scoring: { kind: 'decay' } }
}

function boundOf(params: Reader, name: string): number {
  const value = params.integer(name)
  if (value === undefined) params.report(name, 'is missing')
  return value ?? 0
}

/** Null if it is the default formula of this site. */
function curveOf(bounds: Bounds, params: Reader): Curve | null {
  const [k, j] = [Number(params.string('k')), Number(params.string('j'))]
  const isClassic = k === HALF_VALUE_SOLVES && j === STEEPNESS
  return isClassic || !(k > 0 && j > 0) ? null : noctfExponential(bounds, { k, j })
}
