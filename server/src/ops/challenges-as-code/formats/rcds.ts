import { basename, join } from 'node:path'
import type { Finding } from '../finding.ts'
import { findKlodd, instanceOfKlodd } from './klodd.ts'
import { projectFindings } from './project-keys.ts'
import { filesOfProvide } from './provide.ts'
import { readFlag } from './rcds-flag.ts'
import { hasInstances, instancerOf } from './rcds-instances.ts'
import { isAddress, namesOf, withoutAddresses } from './rcds-names.ts'
import {
  assumePoints,
  DEFAULT_POINTS,
  rcdsProjectOf,
  withDefaults,
  type RcdsProject,
} from './rcds-project.ts'
import { createReader, translationOf, warnUnsupported, type Reader } from './reader.ts'
import { render } from './template.ts'
import {
  isMap,
  keysIn,
  namesBelow,
  type ForeignDocument,
  type ForeignFormat,
  type Json,
  type ReadDocument,
  type Signs,
  type Translation,
} from './translation.ts'

const FIELDS = {
  points: 'value',
  scoring: 'value',
  files: 'provide',
  flags: 'flag',
  hidden: 'visible',
  instancer: 'containers',
}

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
  read,
  check: checkProjects,
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

const PROJECT_KEYS = ['docker', 'backends', 'flagFormat', 'defaultContainerBackend']
const CHALLENGE_KEYS = [
  'id',
  'name',
  'author',
  'category',
  'description',
  'flag',
  'value',
  'visible',
  'provide',
  'deployed',
  'containers',
  'expose',
  'tiebreakEligible',
  'sortWeight',
  'tags',
  'type',
  'adminbot',
  'extraBuilds',
  'backend',
  'instancer',
  'k8s',
]

/** Keys of project files that no one reads, and ids in their order that no challenge has. */
async function checkProjects(documents: readonly ReadDocument[]): Promise<Finding[]> {
  const findings: Finding[] = []
  const projects = new Map(documents.map(({ document }) => [document.project.rcds?.file, document]))
  for (const [file, document] of projects) {
    const { rcds: project } = document.project
    if (!project) continue
    const reader = createReader(project)
    reader.ignore(...PROJECT_KEYS)
    reader.map('defaults').ignore(...CHALLENGE_KEYS)
    const inProject = documents.filter((each) => each.document.project.rcds?.file === file)
    const known = new Set(inProject.flatMap(({ ids }) => ids))
    const unknown = rcdsProjectOf(document).sortOrder.filter((id) => !known.has(id))
    const names = unknown.slice(0, MAX_NAMED).join(', ')
    const message = `sortOrder: no challenge has ${unknown.length > MAX_NAMED ? `${unknown.length} of the ids, such as ${names}` : names}`
    if (unknown.length > 0) reader.warn('backends', message, { lint: 'project' })
    if (rcdsProjectOf(document).hasFooter)
      reader.warn('backends', 'description_footer is left out: the page itself shows how instances start')
    findings.push(...(await projectFindings(document, project, reader.all())))
  }
  return findings
}

const MAX_NAMED = 10

/** `challenge.yaml` of rCDS and its forks. */
async function read(given: ForeignDocument): Promise<readonly Translation[]> {
  const document = withDefaults(given)
  const project = rcdsProjectOf(document)
  const reader = createReader(document)
  // A default is no key of the challenge, so an unknown one is not reported for each.
  reader.ignore(...Object.keys(document.text).filter((key) => !(key in given.text)), 'deployed')
  for (const field of ['name', 'description'])
    if (reader.raw(field) === undefined) reader.report(field, 'is missing')
  const { id, category } = identityOf(document, reader)
  const format = { pattern: project.flagFormat, name: 'flagFormat', level: 'error' } as const
  const flag = await readFlag(document, reader, format)
  const isPerTeam = hasInstances(document, project.hasInstances)
  const names = namesOf(document, project, { id, category, flag: flag?.text, hasInstances: isPerTeam })
  const visible = reader.boolean('visible')
  warnUnsupported(
    reader,
    ['adminbot'],
    'is code for another bot, which Pennant cannot run: write it as an admin bot of Pennant',
  )
  const type = reader.string('type')
  if (type !== undefined && type !== 'dynamic')
    warnUnsupported(reader, ['type'], 'has no counterpart and is left out')
  const content = {
    name: reader.string('name'),
    author: reader.strings('author')?.join(', '),
    category,
    description: descriptionOf(document, reader, { names, isPerTeam, project }),
    ...pointsOf(reader, project),
    flags: flag?.entries,
    files: await filesOfProvide(document, reader),
    hidden: visible === undefined ? undefined : !visible,
    tiebreakEligible: reader.boolean('tiebreakEligible'),
    sortWeight: sortWeightOf(reader, project, id),
    tags: tagsOf(document, reader),
    instancer:
      instancerOf(document, reader, project.hasInstances) ??
      instanceOfKlodd(await findKlodd(document), { document, reader }),
  }
  // In rCDS, challenges without a weight are among the others, not behind them.
  const defaults = { hidden: false, points: DEFAULT_POINTS, scoring: { kind: 'decay' }, sortWeight: 0 }
  return [translationOf(reader, { content, id, fields: FIELDS, defaults })]
}

/** The folder is the id and its parent the category, unless the document says so. A fork puts the event before the id. */
function identityOf(document: ForeignDocument, reader: Reader) {
  const { tree, folder, project, options } = document
  const names = namesBelow(document, project.rcds?.folder ?? '')
  const name = names.at(-1) ?? basename(join(tree.root, folder))
  const event = options.rcdsIds === 'event' ? names.at(-3) : undefined
  return {
    id: reader.string('id') ?? (event === undefined ? name : `${event.length}-${event}-${name}`),
    category: reader.string('category') ?? names.at(-2),
  }
}

function pointsOf(reader: Reader, project: RcdsProject) {
  const given = reader.raw('value')
  if (isMap(given)) {
    const bounds = reader.map('value')
    const [min, max] = [bounds.integer('min'), bounds.integer('max')]
    if (min === undefined || max === undefined) reader.report('value', 'needs min and max')
    return { points: { min, max }, scoring: { kind: 'decay' } }
  }
  const value = reader.integer('value')
  if (value !== undefined) return { points: { min: value, max: value }, scoring: { kind: 'static' } }
  if (project.points) return { points: project.points, scoring: { kind: 'decay' } }
  return given === undefined ? assumePoints(reader, 'no rcds.yaml has a backend rctf with points') : {}
}

/** rCTF 1 sorts by descending weight, Pennant by ascending. */
function sortWeightOf(reader: Reader, { sortOrder }: RcdsProject, id: string): number | undefined {
  const weight = reader.typed('sortWeight')
  const index = sortOrder.indexOf(id)
  if (index !== -1) return index
  if (weight === undefined || weight === null) return undefined
  if (typeof weight === 'number' && Number.isFinite(weight)) return 0 - weight
  reader.report('sortWeight', 'must be a number')
  return undefined
}

interface Described {
  readonly names: Json
  readonly isPerTeam: boolean
  readonly project: RcdsProject
}

function descriptionOf(
  { text: { expose } }: ForeignDocument,
  reader: Reader,
  { names, isPerTeam, project }: Described,
): string | undefined {
  const text = reader.string('description')
  if (text === undefined) return undefined
  const needsDomain = isMap(expose) && project.domain === null
  const rendered = render(text, {
    names,
    isEmpty(name, problem) {
      if (needsDomain && isAddress(name)) return false
      reader.warn('description', `${problem}; rCDS prints nothing here`, { lint: 'template-left' })
      return true
    },
  })
  if ('problem' in rendered) {
    const remedy = needsDomain
      ? '. Addresses need the domain of the containers: add --domain, or a backend k8s with a domain in rcds.yaml'
      : ''
    reader.report('description', rendered.problem + remedy)
    return undefined
  }
  if (reader.boolean('deployed') === false) warnOfAddress(reader, text, names)
  return withoutAddresses(rendered.text, isPerTeam)
}

/** rCDS would not know the address either. */
function warnOfAddress(reader: Reader, text: string, { challenge, instancer, adminbot }: Json): void {
  const withoutPorts = { challenge: { ...(challenge as Json), expose: undefined }, instancer, adminbot }
  if ('problem' in render(text, { names: withoutPorts }))
    reader.warn('description', 'shows the address of a challenge with deployed: false')
}

/** A fork has maps of one name and one text. */
function tagsOf(document: ForeignDocument, reader: Reader): string[] | undefined {
  const given = reader.raw('tags')
  if (given === undefined) return undefined
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  if (list.some(isMap)) document.info('tags are maps: their values become tags')
  const texts = list
    .flatMap((tag) => (isMap(tag) ? Object.values(tag) : [tag]))
    .filter((tag) => typeof tag === 'string')
  return texts.filter((tag) => tag !== '')
}
