import { isMap, mapOf, type ForeignDocument, type Json } from './translation.ts'
import type { Reader } from './reader.ts'

/** What `rcds.yaml` says about all challenges. */
export interface RcdsProject {
  /** Null if there is no project file, or no backend for the scoreboard in it. */
  readonly points: { readonly min: number; readonly max: number } | null
  /** Ids in their order on the page. */
  readonly sortOrder: readonly string[]
  /** Of the containers. */
  readonly domain: string | null
  readonly httpDomain: string | null
  readonly flagFormat: string | null
  readonly hasInstances: boolean
  /** Whether a backend adds a text to descriptions. */
  readonly hasFooter: boolean
}

export const DEFAULT_POINTS = { min: 100, max: 500 }

/** For a document without points: a stored challenge keeps its own. */
export function assumePoints(reader: Reader, why: string): Record<string, never> {
  const { min, max } = DEFAULT_POINTS
  const message = `is missing, and ${why}: a new challenge gets ${min} to ${max}`
  reader.warn('value', message, { lint: 'project' })
  return {}
}

export function rcdsProjectOf({ project: { rcds }, options }: ForeignDocument): RcdsProject {
  const { typed = {}, text = {} } = rcds ?? {}
  const scoreboard = optionsOf(typed, 'rctf')[0]
  const clusters = optionsOf(text, 'k8s')
  const find = (key: string) => clusters.map((each) => each[key]).find((value) => typeof value === 'string')
  const domain = options.domain ?? textOrNull(find('domain'))
  const order = optionsOf(text, 'rctf')[0]?.['sortOrder']
  const scoring = mapOf(scoreboard?.['scoring'])
  return {
    points: scoreboard
      ? {
          min: wholeOr(scoring['minPoints'], DEFAULT_POINTS.min),
          max: wholeOr(scoring['maxPoints'], DEFAULT_POINTS.max),
        }
      : null,
    sortOrder: Array.isArray(order) ? order.filter((id) => typeof id === 'string') : [],
    domain,
    httpDomain: options.domain ?? textOrNull(find('httpDomain')) ?? domain,
    flagFormat: textOrNull(text['flagFormat']),
    hasInstances: text['defaultContainerBackend'] === 'instancer',
    hasFooter: backendsOf(text).some(({ options: each }) => 'description_footer' in mapOf(each)),
  }
}

function backendsOf({ backends }: Json): Json[] {
  return Array.isArray(backends) ? backends.map(mapOf) : []
}

/** The options of all backends of a kind. */
function optionsOf(rcds: Json, kind: string): Json[] {
  return backendsOf(rcds).flatMap(({ resolve, options }) => (resolve === kind ? [mapOf(options)] : []))
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function wholeOr(value: unknown, other: number): number {
  return typeof value === 'number' && Number.isInteger(value) ? value : other
}

/** The document with the defaults of the project below it. */
export function withDefaults(document: ForeignDocument): ForeignDocument {
  const { typed, text, project } = document
  return {
    ...document,
    typed: merged(mapOf(project.rcds?.typed['defaults']), typed),
    text: merged(mapOf(project.rcds?.text['defaults']), text),
  }
}

/** Defaults of containers and ports are for those that the document has, and its files are its own. */
function merged({ containers, expose, ...defaults }: Json, document: Json): Json {
  const all = deepMerged({ ...defaults, provide: undefined }, document)
  return {
    ...all,
    ...(isMap(all['containers']) && {
      containers: mapValues(all['containers'], (container) =>
        deepMerged(mapOf(containers), mapOf(container)),
      ),
    }),
    ...(isMap(all['expose']) && {
      expose: mapValues(all['expose'], (ports) =>
        Array.isArray(ports)
          ? ports.map((port: unknown) => (isMap(port) ? deepMerged(mapOf(expose), port) : port))
          : ports,
      ),
    }),
  }
}

function mapValues(map: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))
}

/** YAML is nested at most as deeply as its reader allows. */
function deepMerged(under: Json, over: Json): Json {
  const both = Object.keys(over).filter((key) => isMap(under[key]) && isMap(over[key]))
  const inner = both.map((key) => [key, deepMerged(mapOf(under[key]), mapOf(over[key]))] as const)
  return { ...under, ...over, ...Object.fromEntries(inner) }
}
