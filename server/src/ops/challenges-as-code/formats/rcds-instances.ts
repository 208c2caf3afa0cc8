import { instanceOf, type ContainerSettings, type InstanceWanted } from './instances.ts'
import { refusedIn } from './refused-settings.ts'
import { warnUnsupported, type Reader } from './reader.ts'
import { isMap, mapOf, type ForeignDocument, type Json } from './translation.ts'

/** Whether the document asks for an instance for each team, in one of the ways of the forks. */
export function hasInstances({ text }: ForeignDocument, isDefault: boolean): boolean {
  const containers = Object.values(mapOf(text['containers'])).map(mapOf)
  const backends = [text['backend'], ...containers.map((container) => container['backend'])].filter(Boolean)
  if (mapSize(text['instancer']) > 0 || backends.includes('instancer')) return true
  return isDefault && backends.length === 0 && containers.length > 0
}

const SHARED = 'has shared containers: deploy them with rCDS as before'
const DEFAULT_LIFETIME_S = 900

/** The instance of each team; containers that all teams share are only named. */
export function instancerOf(document: ForeignDocument, reader: Reader, isDefault: boolean): Json | undefined {
  const isPerTeam = hasInstances(document, isDefault)
  reader.ignore('backend', 'instancer')
  warnUnsupported(
    reader,
    ['extraBuilds', 'k8s'],
    'belongs to the deployment: build and deploy with rCDS as before',
  )
  const isSet = ['containers', 'expose'].map((key) => reader.has(key)).includes(true)
  if (!isPerTeam) {
    if (isSet) reader.warn('containers', SHARED)
    return undefined
  }
  const { containers, expose, instancer } = document.text
  const settings = mapOf(instancer)
  if (/^(?:false|no|off)$/i.test(String(settings['per_team'])))
    reader.warn('instancer', 'per_team: false has no counterpart: each team gets an instance')
  const wanted = {
    field: 'containers',
    containers: Object.fromEntries(
      Object.entries(mapOf(containers)).map(([name, container]) => [
        name,
        containerOf(mapOf(container), `containers.${name}`),
      ]),
    ),
    expose: Object.entries(mapOf(expose)).flatMap(([container, ports]) => portsOf(container, ports)),
    lifetimeMs: lifetimeOf(settings),
  }
  if (document.options.instances) warnOfRest(reader, mapOf(containers))
  return instanceOf(document, reader, wanted)
}

function lifetimeOf({ timeout, lifetime }: Json): number {
  return typeof timeout === 'string' && /^\d{1,12}$/.test(timeout)
    ? Number(timeout)
    : 1000 *
        (typeof lifetime === 'string' && /^\d{1,9}$/.test(lifetime) ? Number(lifetime) : DEFAULT_LIFETIME_S)
}

const READ = [
  'image',
  'build',
  'ports',
  'environment',
  'env',
  'resources',
  'limits',
  'requests',
  'command',
  'args',
  'workingDir',
  'hasEgress',
  'multiService',
  'kubePorts',
  'backend',
  'replicas',
  'tmpfsMounts',
  'readOnlyRootFilesystem',
  'privileged',
  'securityContext',
  'capabilities',
  'seccompProfile',
  'challenge',
]

function warnOfRest(reader: Reader, containers: Json): void {
  for (const [name, container] of Object.entries(containers))
    for (const key of Object.keys(mapOf(container)).filter((each) => !READ.includes(each)))
      reader.warn(`containers.${name}.${key}`, `${key} has no counterpart in an instance and is left out`)
}

/** In a fork, the settings of the image are one level deeper. */
function containerOf(outer: Json, at: string): ContainerSettings {
  const isDeeper = isMap(outer['challenge'])
  const container = isDeeper ? mapOf(outer['challenge']) : outer
  const { image, command, args, workingDir, hasEgress, tmpfsMounts } = container
  const limits = mapOf(mapOf(container['resources'])['limits'] ?? container['limits'])
  // As in Kubernetes, a command replaces the entry point of the image.
  const isWords = Array.isArray(command)
  return {
    field: isDeeper ? `${at}.challenge` : at,
    image: textOf(image),
    memory: textOf(limits['memory']),
    cpus: textOf(limits['cpu']),
    environment: environmentOf(container['environment'] ?? container['env']),
    entrypoint: isWords ? wordsOf(command) : undefined,
    command: wordsOf(args) ?? (isWords ? undefined : textOf(command)),
    workingFolder: textOf(workingDir),
    tmpfs: Object.fromEntries((wordsOf(tmpfsMounts) ?? []).map((path) => [path, '16m'])),
    hasEgress: /^(?:true|yes|on)$/i.test(String(hasEgress)),
    refused: refusedIn(outer, at),
  }
}

/** A map, or a list of names and values. */
export function environmentOf(given: unknown): Readonly<Record<string, string>> {
  const list: readonly (readonly [unknown, unknown])[] = Array.isArray(given)
    ? given.map((each: unknown) => [mapOf(each)['name'], mapOf(each)['value'] ?? ''] as const)
    : Object.entries(mapOf(given))
  return Object.fromEntries(
    list.flatMap(([name, value]) =>
      typeof name === 'string' && typeof value === 'string' ? [[name, value] as const] : [],
    ),
  )
}

function portsOf(container: string, ports: unknown): InstanceWanted['expose'] {
  const list: readonly unknown[] = Array.isArray(ports) ? ports : []
  return list.map((each, index) => {
    const { target, tcp, http } = mapOf(each)
    const name = isMap(http) ? textOf(http['raw'])?.split('.')[0] : textOf(http)
    const port = textOf(target) ?? ''
    return {
      container,
      field: `expose.${container}.${index}.target`,
      port: /^\d{1,5}$/.test(port) ? Number(port) : undefined,
      kind: tcp === undefined ? ('http' as const) : ('tcp' as const),
      hostPrefix: name,
    }
  })
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function wordsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.length > 0
    ? value.filter((word) => typeof word === 'string')
    : undefined
}

function mapSize(value: unknown): number {
  return Object.keys(mapOf(value)).length
}
