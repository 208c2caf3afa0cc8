import { filesOfPods } from './beavercds-files.ts'
import { readFlag } from './rcds-flag.ts'
import { namesOf } from './rcds-names.ts'
import { rcdsProjectOf } from './rcds-project.ts'
import { createReader, translationOf, warnUnsupported, type Reader } from './reader.ts'
import { render } from './template.ts'
import {
  isMap,
  keysIn,
  mapOf,
  namesBelow,
  type ForeignDocument,
  type ForeignFormat,
  type Json,
  type Translation,
} from './translation.ts'

/** `challenge.yaml` of beavercds, whose project file has the name of that of rCDS. */
export const beavercds: ForeignFormat = {
  documents: /^challenge\.ya?ml$/,
  signs({ typed, project: { rcds } }) {
    const isProject = rcds !== null && keysIn(rcds.typed, ['points', 'registry']).length > 0
    const isOfProject = isProject && !('backends' in rcds.typed) && 'flag' in typed
    return {
      found: [
        ...(Array.isArray(typed['pods']) ? ['`pods`'] : []),
        ...(isOfProject ? ['`flag` with `points` or `registry` of rcds.yaml'] : []),
      ],
      against: keysIn(typed, ['flags', 'containers', 'expose', 'value', 'points', 'state', 'extra']),
    }
  },
  read: async (document) => [await fromBeavercds(document)],
}

const FIELDS = {
  points: 'difficulty',
  scoring: 'difficulty',
  files: 'provide',
  flags: 'flag',
  hidden: 'name',
}

async function fromBeavercds(document: ForeignDocument): Promise<Translation> {
  const reader = createReader(document)
  const [category, folder = 'challenge'] = namesBelow(document, document.project.rcds?.folder ?? '').slice(-2)
  const isOnline = isDeployed(document, reader, `${category}/${folder}`)
  for (const name of ['name', 'description', 'flag']) if (!reader.has(name)) reader.report(name, 'is missing')
  warnUnsupported(reader, ['pods'], 'is not deployed by Pennant; deploy the pods with beavercds as before')
  const points = boundsOf(document, reader)
  // The tool itself only keeps the pattern.
  const format = { pattern: projectOf(document).flagFormat, name: 'flag_regex', level: 'warning' } as const
  const content = {
    name: reader.string('name'),
    author: reader.strings('author')?.join(', '),
    category,
    description: descriptionOf(document, reader, { id: folder, category }),
    ...(points && { points, scoring: { kind: 'decay' } }),
    flags: (await readFlag(document, reader, format))?.entries,
    files: await filesOfPods(document, reader),
    hidden: isOnline === null ? undefined : !isOnline,
  }
  // Without a profile, nothing shows which challenges are online.
  return translationOf(reader, { content, id: folder, fields: FIELDS, defaults: { hidden: true } })
}

/** What all challenges have in common. */
function projectOf({ project: { rcds }, options: { profile } }: ForeignDocument) {
  const { typed = {}, text = {} } = rcds ?? {}
  const { challenges_domain: domain } = mapOf(mapOf(text['profiles'])[profile ?? ''])
  const { difficulty } = mapOf(text['defaults'])
  const { flag_regex: flagFormat } = text
  return {
    points: Array.isArray(typed['points']) ? typed['points'].map(mapOf) : [],
    difficulty: typeof difficulty === 'string' ? difficulty : '1',
    domain: typeof domain === 'string' ? domain : null,
    flagFormat: typeof flagFormat === 'string' ? flagFormat : null,
  }
}

/** Whether the profile puts the challenge online, or null without a profile. */
function isDeployed(
  { project, options, info }: ForeignDocument,
  reader: Reader,
  path: string,
): boolean | null {
  const profiles = mapOf(project.rcds?.typed['deploy'])
  const { profile } = options
  if (profile === null) {
    const known = Object.keys(profiles).join(', ')
    info(
      `of beavercds: new challenges are hidden; --profile shows those of a profile of rcds.yaml (${known || 'none'})`,
    )
    return null
  }
  const deployed = profiles[profile]
  if (!isMap(deployed)) {
    reader.report(
      'name',
      `rcds.yaml has no profile ${profile}; it has ${Object.keys(profiles).join(', ') || 'none'}`,
    )
    return null
  }
  return deployed[path] === true
}

/** The name of a difficulty is a number or text. */
function boundsOf(document: ForeignDocument, reader: Reader): { min: number; max: number } | null {
  const project = projectOf(document)
  const difficulty = reader.string('difficulty') ?? project.difficulty
  const found = project.points.find((each) => String(each['difficulty']) === difficulty)
  const { min, max } = found ?? {}
  if (typeof min === 'number' && typeof max === 'number') return { min, max }
  const message = `points of rcds.yaml has no entry with min and max for the difficulty ${difficulty}: 100 to 500 is assumed`
  reader.warn('difficulty', message)
  return null
}

function descriptionOf(
  document: ForeignDocument,
  reader: Reader,
  { id, category }: { readonly id: string; readonly category: string | undefined },
): string | undefined {
  const description = reader.string('description')
  if (description === undefined) return undefined
  const typed = { ...document.typed, expose: exposedOf(document) }
  const computed = { id, category, flag: undefined, hasInstances: false }
  const domain = document.options.domain ?? projectOf(document).domain
  const options = { ...document.options, domain }
  const { host, ...names } = namesOf(
    { ...document, typed },
    rcdsProjectOf({ ...document, options }),
    computed,
  )
  const rendered = render(description, { names: { ...names, host, domain: host } })
  if ('text' in rendered) return rendered.text
  const advice = domain === null ? '; add --domain with the domain of the pods, or --profile' : ''
  reader.report('description', `${rendered.problem}${advice}`)
  return undefined
}

/** The exposed ports by the name of the pod, as rCDS writes them. */
function exposedOf({ typed: { pods } }: ForeignDocument): Json {
  const all = Array.isArray(pods) ? pods.map(mapOf) : []
  return Object.fromEntries(
    all.map(({ name, ports }) => {
      const list = Array.isArray(ports) ? ports.map(mapOf) : []
      return [String(name), list.map(({ internal, expose }) => ({ target: internal, ...mapOf(expose) }))]
    }),
  )
}
