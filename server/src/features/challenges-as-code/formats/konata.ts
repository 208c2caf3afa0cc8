import { createHash } from 'node:crypto'
import { attachmentsOf } from './attachments.ts'
import { flagOf } from './ctfcli.ts'
import { hintsOf } from './hints.ts'
import { createReader, textBeside, type Reader } from './reader.ts'
import { isTemplate } from './template.ts'
import {
  baseName,
  isMap,
  namesBelow,
  withConnection,
  type ForeignDocument,
  type ForeignFormat,
  type Json,
  type Translation,
} from './translation.ts'

const FIELDS = {
  points: 'scoring',
  scoring: 'scoring',
  files: 'attachments',
  releaseTime: 'release_time',
  sortWeight: 'sort_weight',
  tiebreakEligible: 'scoring',
  instancer: 'instancer_config',
  adminBot: 'admin_bot',
  hints: 'ctfd.hints',
}

/** Keys may be in camel case or snake case, except those inside of configurations that are passed on. */
function snakeKeys(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((item) => snakeKeys(item, depth))
  if (!isMap(value) || depth > MAX_KEY_DEPTH) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      return [name, name === 'config' || name === 'options' ? inner : snakeKeys(inner, depth + 1)]
    }),
  )
}

const MAX_KEY_DEPTH = 8

export const konata: ForeignFormat = {
  documents: /^kona\.ya?ml$/,
  signs({ file, text }) {
    const isNamed = baseName(file).startsWith('kona.')
    const found = [...(isNamed ? [baseName(file)] : []), ...('challenges' in text ? ['`challenges`'] : [])]
    return { found, against: [] }
  },
  read: fromKonata,
}

/** The challenges of a `kona.yaml`, which may have several. */
async function fromKonata(document: ForeignDocument): Promise<readonly Translation[]> {
  const typed = snakeKeys(document.typed) as Json
  const text = snakeKeys(document.text) as Json
  const challenges: readonly unknown[] = Array.isArray(text['challenges']) ? text['challenges'] : []
  const types: readonly unknown[] = Array.isArray(typed['challenges']) ? typed['challenges'] : []
  const translations: Translation[] = []
  const folder = namesBelow(document, document.project.konata?.folder ?? '').join('/')
  for (const [index, challenge] of challenges.entries()) {
    const entry = { ...document, text: asMap(challenge), typed: asMap(types[index]) }
    const path = challenges.length === 1 ? folder : `${folder}/${index}`
    translations.push(await translate(entry, { at: ['challenges', String(index)], path }))
  }
  return translations
}

function asMap(value: unknown): Json {
  return isMap(value) ? value : {}
}

interface Place {
  readonly at: readonly string[]
  /** What the id is made of. */
  readonly path: string
}

async function translate(document: ForeignDocument, { at, path }: Place): Promise<Translation> {
  const reader = createReader(document)
  for (const field of ['category', 'name', 'author'])
    if (reader.raw(field) === undefined) reader.report(field, 'is missing')
  const [name = '', category = ''] = [reader.string('name'), reader.string('category')]
  const release = reader.string('release_time')
  const ctfd = reader.map('ctfd')
  const content = {
    name,
    category,
    author: reader.string('author'),
    description: descriptionOf(document, reader),
    tags: reader.strings('tags'),
    hidden: reader.boolean('hidden'),
    releaseTime: release === undefined ? undefined : withZone(release),
    sortWeight: reader.integer('sort_weight'),
    ...scoringOf(reader),
    flags: await flagsOf(document, reader),
    hints: hintsOf(ctfd.raw('hints'), { reader: ctfd, field: 'hints', textKey: 'hint' }),
    files: await attachmentsOf(document, reader),
    instancer: instancerOf(reader),
    adminBot: await botOf(document, reader),
  }
  const named = `${category}_${name}`
  const format = document.project.konata?.typed['challenge_id_format']
  const id = reader.string('override_id') ?? idOf(typeof format === 'string' ? format : '', path, named)
  return {
    content,
    defaults: { hidden: false, points: { min: 50, max: 500 } },
    id,
    otherIds: id === named ? [] : [named],
    isNamed: false,
    problems: reader.all(),
    fields: FIELDS,
    at,
  }
}

function idOf(format: string, path: string, named: string): string {
  if (format === 'path') return path.replaceAll('/', '_')
  return format === 'name' ? named : createHash('sha256').update(path).digest('hex').slice(0, 16)
}

/** A time without a zone is UTC. */
function withZone(time: string): string {
  const full = /^\d{4}-\d\d-\d\d$/.test(time) ? `${time}T00:00:00` : time
  return /(?:[Zz]|[+-]\d\d:?\d\d)$/.test(full) ? full : `${full}Z`
}

function descriptionOf({ project }: ForeignDocument, reader: Reader): string | undefined {
  const text = reader.string('description')?.trim()
  const lines = reader.list('endpoints').flatMap((endpoint, index) => {
    const line = isMap(endpoint) ? endpointLine(endpoint) : null
    if (line === null) reader.report(`endpoints.${index}`, 'needs a type and an endpoint')
    return line ?? []
  })
  if (project.konata?.typed['templates'] !== undefined && (text !== undefined || lines.length > 0))
    reader.report('description', 'templates of the project are not applied', {
      level: 'warning',
      lint: 'unsupported',
    })
  return text === undefined && lines.length === 0 ? undefined : withConnection(text ?? '', lines)
}

const DEFAULT_PORT = '1337'

function endpointLine({ type, endpoint: host, port, name }: Json): string | null {
  if (typeof host !== 'string' || typeof type !== 'string') return null
  const number = typeof port === 'string' ? port : DEFAULT_PORT
  const web = `${type}://${host}${typeof port === 'string' ? `:${port}` : ''}`
  const lines: Readonly<Record<string, string>> = {
    http: web,
    https: web,
    nc: `nc ${host} ${number}`,
    'ncat-ssl': `ncat --ssl ${host} ${number}`,
    socat: `socat -,raw,echo=0 TCP:${host}:${number}`,
  }
  const line = lines[type]
  if (line === undefined) return null
  return typeof name === 'string' ? `${name}: ${line}` : line
}

function scoringOf(reader: Reader) {
  if (reader.raw('scoring') === undefined) return {}
  const scoring = reader.map('scoring')
  const rctf = scoring.map('rctf')
  const kind = rctf.string('kind') ?? 'decay'
  const secret = rctf.map('dynamic').string('secret')
  return {
    points: { min: scoring.integer('minimum_value') ?? 50, max: scoring.integer('initial_value') ?? 500 },
    scoring: kind === 'dynamic' ? { kind, ...(secret !== undefined && { secret }) } : { kind },
    tiebreakEligible: rctf.boolean('eligible_for_tiebreaks'),
  }
}

async function flagsOf(document: ForeignDocument, reader: Reader): Promise<unknown[] | undefined> {
  const given = reader.raw('flags')
  if (given === undefined) return undefined
  const { rctf, ctfd } = isMap(given) ? given : {}
  const flags: unknown[] = []
  const list: readonly unknown[] = Array.isArray(rctf) ? rctf : rctf === undefined ? [] : [rctf]
  for (const [index, flag] of list.entries()) {
    const refuse = (message: string) => reader.report(`flags.rctf.${index}`, message)
    if (isMap(flag) && typeof flag['provider'] === 'string')
      flags.push({
        ...asMap(flag['config'] ?? flag['options']),
        kind: flag['provider'].replace(/^flags\//, ''),
      })
    else flags.push(...(await staticFlag(document, flag, refuse)))
  }
  if (list.length > 0 || !Array.isArray(ctfd)) return flags
  return ctfd.flatMap((flag: unknown, index): unknown[] => {
    const { type, flag: content } = asMap(flag)
    return flagOf({ type, content }, (message) => {
      reader.report(`flags.ctfd.${index}`, message)
      return []
    })
  })
}

async function staticFlag(document: ForeignDocument, flag: unknown, refuse: (message: string) => void) {
  const { str, file } = isMap(flag) ? flag : { str: flag }
  if (typeof str === 'string') return [{ kind: 'static', flag: str }]
  if (typeof file !== 'string') {
    refuse('must be text, { str }, { file } or { provider, config }')
    return []
  }
  const read = await textBeside(document, file)
  if ('text' in read) return [{ kind: 'static', flag: read.text.trim() }]
  refuse(read.problem)
  return []
}

function instancerOf(reader: Reader): unknown {
  const given = reader.typed('instancer_config')
  if (!isMap(given)) return given
  if (isTemplate(JSON.stringify(given))) reader.report('instancer_config', 'templates are not supported')
  const { expose, ...rest } = camelKeys(given)
  return { ...rest, ...(Array.isArray(expose) && { expose: expose.map(camelKeys) }) }
}

function camelKeys(value: unknown): Json {
  return Object.fromEntries(
    Object.entries(asMap(value)).map(([key, inner]) => [
      key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      inner,
    ]),
  )
}

async function botOf(document: ForeignDocument, reader: Reader): Promise<unknown> {
  if (reader.raw('admin_bot') === undefined) return undefined
  const bot = reader.map('admin_bot')
  const [code, file] = [bot.string('code'), bot.string('file')]
  if (code === undefined && file === undefined) bot.report('code', 'is missing')
  const read = file === undefined ? { text: code ?? '' } : await textBeside(document, file)
  if ('problem' in read) {
    bot.report('file', read.problem, { lint: 'missing-file' })
    return undefined
  }
  if (isTemplate(read.text)) bot.report('code', 'contains {{ or {%, and templates are not supported')
  return { code: code === undefined ? { file } : code }
}
