import { createHash } from 'node:crypto'
import type { Finding } from '../finding.ts'
import { attachmentsOf } from './attachments.ts'
import { hintsOf } from './hints.ts'
import { findKlodd, instanceOfKlodd } from './klodd.ts'
import { botOf, instancerOf } from './konata-engines.ts'
import { flagsOf } from './konata-flags.ts'
import { templatesOf, type RenderText } from './konata-templates.ts'
import { projectFindings } from './project-keys.ts'
import { createReader, NOT_HERE, translationOf, warnUnsupported, type Reader } from './reader.ts'
import {
  baseName,
  isMap,
  mapOf,
  namesBelow,
  withConnection,
  type ForeignDocument,
  type ForeignFormat,
  type Json,
  type Problem,
  type ReadDocument,
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

export const konata: ForeignFormat = {
  documents: /^kona\.(?:ya?ml|toml)$/,
  signs({ file, text }) {
    const isNamed = baseName(file).startsWith('kona.')
    const found = [...(isNamed ? [baseName(file)] : []), ...('challenges' in text ? ['`challenges`'] : [])]
    return { found, against: [] }
  },
  read,
  check: checkProjects,
}

const PROJECT_KEYS = [
  'rctf',
  'ctfd',
  'secrets',
  'registries',
  'clusters',
  'kv',
  'domains',
  'templates',
  'attachment_format',
  'attachment_wrap_dir',
  'challenge_id_format',
  'challenges',
  'deployment',
]
const DISCOVERY_KEYS = [
  'challenge_folder_depth',
  'attachment_analysis_depth',
  'klodd_domain',
  'klodd_endpoint_name',
]

/** Keys of project files that no one reads. */
async function checkProjects(documents: readonly ReadDocument[]): Promise<Finding[]> {
  const findings: Finding[] = []
  const projects = new Map(documents.map(({ document }) => [document.project.konata?.file, document]))
  for (const { project, tree } of projects.values()) {
    if (!project.konata) continue
    const reader = createReader(withSnakeKeys(project.konata))
    reader.ignore(...PROJECT_KEYS)
    reader.map('discovery').ignore(...DISCOVERY_KEYS, 'skip')
    findings.push(...(await projectFindings({ tree }, project.konata, reader.all())))
  }
  return findings
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

function withSnakeKeys<Content extends { readonly typed: Json; readonly text: Json }>(
  content: Content,
): Content {
  return { ...content, typed: mapOf(snakeKeys(content.typed)), text: mapOf(snakeKeys(content.text)) }
}

const DEFAULT_DEPTH = 3

/** The challenges of a file, which may have several. */
async function read(given: ForeignDocument): Promise<readonly Translation[]> {
  const project = given.project.konata && withSnakeKeys(given.project.konata)
  const document = { ...given, ...withSnakeKeys(given), project: { ...given.project, konata: project } }
  const reader = createReader(document)
  const names = namesBelow(document, project?.folder ?? '')
  const depth = mapOf(project?.typed['discovery'])['challenge_folder_depth'] ?? DEFAULT_DEPTH
  const isSkipped = reader.map('discovery').boolean('skip') === true
  if (isSkipped) document.info('is left out: discovery.skip')
  else if (document.file === project?.file) {
    if (reader.has('challenges'))
      document.info('challenges in the file of the project are left out, as Konata does')
  } else if (project && names.length > Number(depth))
    document.info(`is left out: deeper than discovery.challenge_folder_depth (${String(depth)})`)
  else return await challengesOf(document, reader, names.join('/'))
  return []
}

async function challengesOf(
  document: ForeignDocument,
  reader: Reader,
  folder: string,
): Promise<readonly Translation[]> {
  const challenges = reader.list('challenges')
  const types: unknown = document.typed['challenges']
  const shared = deploymentProblems(document, reader)
  const listed: unknown = mapOf(document.text['deployment'])['kubernetes_manifests']
  const manifests = (Array.isArray(listed) ? listed : []).filter((path) => typeof path === 'string')
  const translations: Translation[] = []
  for (const [index, challenge] of challenges.entries()) {
    const typed = mapOf(Array.isArray(types) ? types[index] : undefined)
    const path = challenges.length === 1 ? folder : `${folder}/${index}`
    const at = ['challenges', String(index)]
    const problems = [...(index === 0 ? reader.all() : []), ...shared]
    translations.push(
      await translate({ ...document, text: mapOf(challenge), typed }, { at, path, problems, manifests }),
    )
  }
  return translations
}

/** Files that a build adds to the archive are not in the repository, so all challenges of the file lack them. */
function deploymentProblems({ text }: ForeignDocument, reader: Reader): Problem[] {
  reader.ignore('deployment')
  const deployment = mapOf(text['deployment'])
  const images: readonly unknown[] = Array.isArray(deployment['images']) ? deployment['images'] : []
  const exported = images.some((image) => {
    const { exports: files } = mapOf(image)
    return Array.isArray(files) && files.length > 0
  })
  if (Object.keys(deployment).length > 0) reader.warn('deployment', 'is done by Konata, as before')
  if (!exported) return []
  const message =
    'deployment.images has exports: files that a build adds to the archive. Commit them, list them in attachments, and remove exports'
  return [{ level: 'error', lint: 'missing-file', field: 'attachments', message }]
}

interface Place {
  readonly at: readonly string[]
  /** What the id is made of. */
  readonly path: string
  readonly problems: readonly Problem[]
  /** Paths of manifests that the file deploys. */
  readonly manifests: readonly string[]
}

async function translate(
  document: ForeignDocument,
  { at, path, problems, manifests }: Place,
): Promise<Translation> {
  const reader = createReader(document)
  const renderText = templatesOf(document)
  for (const field of ['category', 'name', 'author'])
    if (reader.raw(field) === undefined) reader.report(field, 'is missing')
  const [name = '', category = ''] = [reader.string('name'), reader.string('category')]
  const release = reader.instant('release_time')
  const ctfd = reader.map('ctfd')
  const scoring = scoringOf(reader)
  const flags = await flagsOf(document, reader)
  const klodd = await findKlodd(document, manifests)
  const content = {
    name,
    category,
    author: reader.string('author'),
    description: descriptionOf(document, reader, { renderText, instanceName: klodd?.name }),
    tags: reader.strings('tags'),
    hidden: reader.boolean('hidden'),
    releaseTime: release === undefined ? undefined : withZone(release),
    sortWeight: reader.integer('sort_weight'),
    ...scoring,
    flags,
    hints: ctfd.has('hints') ? hintsOf(ctfd.items('hints'), 'hint') : undefined,
    files: await attachmentsOf(document, reader),
    instancer: instancerOf(reader, renderText) ?? instanceOfKlodd(klodd, { document, reader }),
    adminBot: await botOf(document, reader, renderText),
  }
  readOtherHalf(reader)
  const named = `${category}_${name}`
  const format = document.project.konata?.typed['challenge_id_format']
  const id = reader.string('override_id') ?? idOf(typeof format === 'string' ? format : '', path, named)
  return translationOf(reader, {
    content,
    defaults: { hidden: false, points: { min: 50, max: 500 }, sortWeight: 0 },
    id,
    otherIds: id === named ? [] : [named],
    problems: [...problems, ...reader.all()],
    fields: FIELDS,
    at,
  })
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

interface Described {
  readonly renderText: RenderText
  /** Of the manifest of Klodd. */
  readonly instanceName: string | undefined
}

function descriptionOf(
  document: ForeignDocument,
  reader: Reader,
  { renderText, instanceName }: Described,
): string | undefined {
  const text = reader.string('description')?.trim()
  const lines = reader.items('endpoints').flatMap((endpoint, index) => {
    const line = typeof endpoint === 'string' ? null : endpointLine(endpoint, renderText)
    if (line === null)
      reader.report(`endpoints.${index}`, 'needs a type (http, https, socat, nc, ncat-ssl) and an endpoint')
    return line ?? []
  })
  if (instanceName !== undefined) lines.push(...kloddLines(document, instanceName))
  const { templates } = document.project.konata?.typed ?? {}
  if (isMap(templates) && Object.keys(templates).length > 0)
    reader.warn('description', 'templates of the project are not applied')
  if (text === undefined && lines.length === 0) return undefined
  return lines.reduce((description, line) => withConnection(description, [line]), text ?? '')
}

/** Where players start the instance of Klodd, unless it becomes one of this site. */
function kloddLines({ project, options }: ForeignDocument, instanceName: string): string[] {
  const { klodd_domain: domain, klodd_endpoint_name: title } = mapOf(project.konata?.text['discovery'])
  if (typeof domain !== 'string' || options.instances) return []
  const address = `https://${domain}/challenge/${instanceName}`
  return [typeof title === 'string' ? `${title}: ${address}` : address]
}

const DEFAULT_PORT = '1337'

/** An empty list if the address is not known here; null if the endpoint is wrong. */
function endpointLine(endpoint: Reader, renderText: RenderText): string | readonly string[] | null {
  const [type, given, port, name] = ['type', 'endpoint', 'port', 'name'].map((key) => endpoint.string(key))
  if (given === undefined || type === undefined) return null
  const rendered = renderText(given)
  if ('problem' in rendered) {
    if (rendered.needsDeployment) endpoint.warn('endpoint', rendered.problem)
    else endpoint.report('endpoint', rendered.problem)
    return []
  }
  const host = rendered.text
  const number = port ?? DEFAULT_PORT
  const web = `${type}://${host}${port === undefined ? '' : `:${port}`}`
  const lines: Readonly<Record<string, string>> = {
    http: web,
    https: web,
    nc: `nc ${host} ${number}`,
    'ncat-ssl': `ncat --ssl ${host} ${number}`,
    socat: `socat -,raw,echo=0 TCP:${host}:${number}`,
  }
  const line = Object.hasOwn(lines, type) ? lines[type] : undefined
  if (line === undefined) return null
  return name === undefined ? line : `${name}: ${line}`
}

function scoringOf(reader: Reader) {
  if (reader.raw('scoring') === undefined) return {}
  const scoring = reader.map('scoring')
  const rctf = scoring.map('rctf')
  const kind = rctf.string('kind') ?? 'decay'
  const secret = secretOf(rctf.map('dynamic'))
  return {
    points: { min: scoring.integer('minimum_value') ?? 50, max: scoring.integer('initial_value') ?? 500 },
    scoring: kind === 'dynamic' ? { kind, ...(secret !== undefined && { secret }) } : { kind },
    tiebreakEligible: rctf.boolean('eligible_for_tiebreaks'),
  }
}

/** The value of a secret. Those that the project only names are in the environment of whoever runs Konata. */
function secretOf(dynamic: Reader): string | undefined {
  dynamic.ignore('transport')
  const given = dynamic.raw('secret')
  if (!isMap(given)) return dynamic.string('secret')
  const secret = dynamic.map('secret')
  const [value, name] = [secret.string('value'), secret.string('secret')]
  if (value !== undefined || name === undefined) return value
  const message = `the secret ${name} of the project is not read: set it on the site, then add --allow secret, or write { value }`
  secret.report('secret', message, { lint: 'secret' })
  return undefined
}

/** What is for CTFd matters only if the document has nothing for rCTF. */
function readOtherHalf(reader: Reader): void {
  const [ctfd, scoring, flags] = [reader.map('ctfd'), reader.map('scoring'), reader.map('flags')]
  const isOnlyHalf = !scoring.has('rctf') && !flags.has('rctf')
  ctfd.ignore('type', 'topics', 'connection_info')
  scoring.ignore('ctfd')
  if (!isOnlyHalf) return
  warnUnsupported(ctfd, ['type', 'topics', 'connection_info'], NOT_HERE)
  warnUnsupported(scoring, ['ctfd'], NOT_HERE)
}
