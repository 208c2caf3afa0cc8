import { createReader, warnUnsupported, textBeside, type Reader } from './reader.ts'
import { fromPython, patternEntry } from './regex-flag.ts'
import { isTemplate, render } from './template.ts'
import {
  baseName,
  isMap,
  keysIn,
  namesBelow,
  type ForeignDocument,
  type ForeignFormat,
  type Json,
  type Signs,
  type Translation,
} from './translation.ts'

const NOT_HERE = 'is not deployed by Pennant; deploy the containers with rCDS as before'

const FIELDS = { points: 'value', scoring: 'value', files: 'provide', flags: 'flag', hidden: 'visible' }

const KEYS = ['flag', 'containers', 'expose', 'deployed', 'visible']
const OTHERS = [
  'flags',
  'state',
  'extra',
  'version',
  'attribution',
  'connection_info',
  'topics',
  'points',
  'scoring',
]

export const rcds: ForeignFormat = {
  documents: /^challenge\.(?:ya?ml|json)$/,
  signs,
  read: async (document) => [await fromRcds(document)],
}

function signs({ text, project }: ForeignDocument): Signs {
  return {
    found: [
      ...keysIn(text, KEYS),
      ...(Array.isArray(text['provide']) ? ['`provide`'] : []),
      ...(project.rcds ? [project.rcds.file] : []),
    ],
    against: keysIn(text, OTHERS),
  }
}

/** `challenge.yaml` of rCDS. */
async function fromRcds(given: ForeignDocument): Promise<Translation> {
  const { folder } = given
  const project = given.project.rcds?.text ?? {}
  const defaults = isMap(project['defaults']) ? project['defaults'] : {}
  const document = { ...given, typed: { ...defaults, ...given.typed }, text: { ...defaults, ...given.text } }
  const reader = createReader(document)
  reader.ignore('deployed', ...Object.keys(defaults))
  for (const field of ['name', 'description'])
    if (reader.raw(field) === undefined) reader.report(field, 'is missing')
  const value = reader.integer('value')
  const visible = reader.boolean('visible')
  warnUnsupported(reader, ['containers', 'expose'], NOT_HERE)
  const parts = namesBelow(given, given.project.rcds?.folder ?? '')
  const content = {
    name: reader.string('name'),
    author: reader.strings('author')?.join(', '),
    category: reader.string('category') ?? (parts.length >= 2 ? parts.at(-2) : undefined),
    description: descriptionOf(document, reader),
    points: value === undefined ? undefined : { min: value, max: value },
    scoring: value === undefined ? undefined : { kind: 'static' },
    flags: await flagsOf(document, reader),
    files: filesOf(reader),
    hidden: visible === undefined ? undefined : !visible,
    tiebreakEligible: reader.boolean('tiebreakEligible'),
    sortWeight: reader.typed('sortWeight'),
  }
  const { min, max } = boundsOf(given.project.rcds?.typed ?? {})
  return {
    content,
    defaults: { hidden: false, points: { min, max }, scoring: { kind: 'decay' } },
    id: reader.string('id') ?? (baseName(folder) || (parts.at(-1) ?? baseName(given.tree.root))),
    otherIds: [],
    isNamed: false,
    problems: reader.all(),
    fields: FIELDS,
    at: [],
  }
}

function boundsOf(project: Json) {
  const backends: readonly unknown[] = Array.isArray(project['backends']) ? project['backends'] : []
  for (const backend of backends) {
    const options = isMap(backend) && backend['resolve'] === 'rctf' ? backend['options'] : undefined
    const scoring = isMap(options) ? options['scoring'] : undefined
    if (isMap(scoring))
      return { min: numberOr(scoring['minPoints'], 100), max: numberOr(scoring['maxPoints'], 500) }
  }
  return { min: 100, max: 500 }
}

function numberOr(value: unknown, other: number): number {
  return typeof value === 'number' && Number.isInteger(value) ? value : other
}

function descriptionOf(document: ForeignDocument, reader: Reader): string | undefined {
  const text = reader.string('description')
  if (text === undefined || !isTemplate(text)) return text
  const rendered = render(text, valuesOf(document))
  if ('text' in rendered) return rendered.text
  const hint = document.options.domain === null ? '; add --domain with the domain of the containers' : ''
  reader.report('description', `${rendered.problem}${hint}`)
  return undefined
}

/** The names of a description: the texts of the challenge, and the address of its only exposed port. */
function valuesOf({ text, options: { domain } }: ForeignDocument): Map<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(text))
    if (typeof value === 'string') values.set(`challenge.${name}`, value)
  const exposed = Object.values(isMap(text['expose']) ? text['expose'] : {}).flat()
  const [only] = exposed
  if (exposed.length !== 1 || !isMap(only) || domain === null) return values
  const { http, tcp } = only
  if (typeof tcp === 'string') {
    values.set('host', domain).set('port', tcp).set('nc', `nc ${domain} ${tcp}`)
    return values
  }
  const host = isMap(http) ? http['raw'] : typeof http === 'string' ? `${http}.${domain}` : undefined
  if (typeof host !== 'string') return values
  const url = `https://${host}`
  return values.set('host', host).set('port', '443').set('url', url).set('link', `[${host}](${url})`)
}

async function flagsOf(document: ForeignDocument, reader: Reader): Promise<unknown[] | undefined> {
  const flag = reader.raw('flag')
  if (flag === undefined) return undefined
  if (typeof flag === 'string') return [{ kind: 'static', flag: checked(flag, document, reader) }]
  if (isMap(flag) && typeof flag['file'] === 'string') {
    const read = await textBeside(document, flag['file'])
    if ('text' in read) return [{ kind: 'static', flag: checked(read.text.trim(), document, reader) }]
    reader.report('flag.file', read.problem, { lint: 'missing-file' })
    return undefined
  }
  if (isMap(flag) && typeof flag['regex'] === 'string') {
    const translated = fromPython(flag['regex'], false)
    if ('pattern' in translated) return [patternEntry(translated.pattern, translated.flags)]
    reader.report('flag.regex', translated.problem)
    return undefined
  }
  reader.report('flag', 'must be text, { file } or { regex }')
  return undefined
}

/** The format is anchored; a pattern of the repository, so the same person writes it and waits for it. */
function checked(flag: string, { project }: ForeignDocument, reader: Reader): string {
  const format = project.rcds?.text['flagFormat']
  if (typeof format !== 'string') return flag
  const translated = fromPython(format, false)
  if ('problem' in translated)
    reader.report('flag', `flagFormat of the project cannot be checked: ${translated.problem}`, {
      level: 'warning',
      lint: 'flag-format',
    })
  else if (!new RegExp(translated.pattern, translated.flags).test(flag))
    reader.report('flag', 'does not match flagFormat of the project', { lint: 'flag-format' })
  return flag
}

function filesOf(reader: Reader): unknown[] | undefined {
  if (reader.raw('provide') === undefined) return undefined
  return reader.list('provide').flatMap((file, index): unknown[] => {
    if (typeof file === 'string') return [file]
    const { file: path, as } = isMap(file) ? file : {}
    if (typeof path === 'string' && typeof as === 'string') return [{ path: path, name: as }]
    reader.report(`provide.${index}`, 'must be a path or { file, as }')
    return []
  })
}
