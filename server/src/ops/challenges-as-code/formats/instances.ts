import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { definedOf } from '../../../lib/defined-of.ts'
import type { Reader } from './reader.ts'
import type { ForeignDocument, Json } from './translation.ts'

/** A container of a challenge, as the document of another tool describes it. */
export interface ContainerSettings {
  /** The path of the container in the document. */
  readonly field: string
  readonly image: string | undefined
  /** Bytes, or with a unit of Docker or Kubernetes: `512m`, `128Mi`. */
  readonly memory?: string | undefined
  /** Processors: `0.5`, or `500m`. */
  readonly cpus?: string | undefined
  readonly pids?: number | undefined
  readonly environment?: Readonly<Record<string, string>> | undefined
  readonly entrypoint?: string | readonly string[] | undefined
  readonly command?: string | readonly string[] | undefined
  readonly workingFolder?: string | undefined
  /** Sizes of file systems in memory, by path. */
  readonly tmpfs?: Readonly<Record<string, string>> | undefined
  readonly hasEgress?: boolean | undefined
  /** Settings that Pennant refuses, with their full paths in the document. */
  readonly refused?: readonly { readonly field: string; readonly message: string }[]
}

export interface InstanceWanted {
  /** The key that shows that each team has an instance. */
  readonly field: string
  /** By the name of the service. */
  readonly containers: Readonly<Record<string, ContainerSettings>>
  readonly expose: readonly {
    readonly container: string
    readonly field: string
    readonly port: number | undefined
    readonly kind: 'tcp' | 'http'
    readonly hostPrefix?: string | undefined
  }[]
  readonly lifetimeMs?: number | undefined
}

const DEFAULT_LIFETIME_MS = 30 * MINUTE_MS
/** The other tools limit nothing by default, but the instancer's own default is too little for most images. */
const DEFAULT_MEMORY = '256m'
const MAX_PREFIX_LENGTH = 40

/** The instancer settings of a challenge, or undefined if they are not wanted or have an error. */
export function instanceOf(
  { options }: Pick<ForeignDocument, 'options'>,
  reader: Pick<Reader, 'report'>,
  { field, containers, expose, lifetimeMs }: InstanceWanted,
): Json | undefined {
  if (!options.instances) {
    const message =
      'each team had an instance, which players cannot start here: add --instances to take over its settings'
    reader.report(field, message, { level: 'warning', lint: 'instance' })
    return undefined
  }
  let isRight = true
  const refuse = (place: string, message: string) => {
    isRight = false
    reader.report(place, message)
  }
  const names = Object.keys(containers)
  if (names.length === 0) refuse(field, 'needs a container with an image')
  if (expose.length === 0) refuse(field, 'needs a port that players can reach')
  const services = Object.entries(containers).map(
    ([name, container]) => [name, serviceOf(container, names.length > 1, refuse)] as const,
  )
  const exposed = expose.map(({ container, field: place, port, kind, hostPrefix }) => {
    if (port === undefined) refuse(place, 'the port is missing')
    if (!names.includes(container)) refuse(place, `there is no container ${container}`)
    return {
      kind,
      hostPrefix: prefixOf(hostPrefix ?? container),
      containerName: container,
      containerPort: port,
    }
  })
  if (!isRight) return undefined
  const networks = {
    ...(names.length > 1 && { inside: { internal: true } }),
    ...(Object.values(containers).some(({ hasEgress }) => hasEgress) && { outside: { internal: false } }),
  }
  return {
    config: { services: Object.fromEntries(services), ...(Object.keys(networks).length > 0 && { networks }) },
    expose: exposed,
    timeoutMilliseconds: lifetimeMs ?? DEFAULT_LIFETIME_MS,
  }
}

function serviceOf(
  container: ContainerSettings,
  hasOthers: boolean,
  refuse: (field: string, message: string) => void,
): Json {
  const { field, image, environment, entrypoint, command, workingFolder, tmpfs, hasEgress, pids } = container
  for (const { field: place, message } of container.refused ?? []) refuse(place, message)
  if (image === undefined)
    refuse(`${field}.image`, 'is missing: build and push the image, and write its reference here')
  const sizeIn = (text: string) => {
    const size = sizeOf(text)
    if (size === null) refuse(field, `${text} is not a size: write it as 64m or 64Mi`)
    return size ?? text
  }
  const cpus = container.cpus === undefined ? undefined : processorsOf(container.cpus)
  if (cpus === null) refuse(field, `${container.cpus} is not a number of processors: write it as 0.5 or 500m`)
  const networks = [...(hasOthers ? ['inside'] : []), ...(hasEgress ? ['outside'] : [])]
  const mounts = Object.entries(tmpfs ?? {}).map(
    ([path, size]) => [path, `size=${sizeIn(size)},noexec,nosuid,nodev`] as const,
  )
  const settings = {
    image,
    environment: environment && Object.keys(environment).length > 0 ? environment : undefined,
    entrypoint: lineOf(entrypoint),
    command: lineOf(command),
    working_dir: workingFolder,
    mem_limit: sizeIn(container.memory ?? DEFAULT_MEMORY),
    cpus,
    pids_limit: pids,
    tmpfs: mounts.length > 0 ? Object.fromEntries(mounts) : undefined,
    networks: networks.length > 0 ? networks : undefined,
  }
  return definedOf(settings)
}

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }
/** Engines refuse less. */
const MIN_MEMORY_MIB = 6

/** Whole mebibytes, rounded up. */
function sizeOf(text: string): string | null {
  const [, number = '', unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?)\s*([kmg]?)i?b?$/i.exec(text.trim()) ?? []
  const bytes = Number(number || Number.NaN) * (UNITS[unit.toLowerCase()] ?? Number.NaN)
  return bytes > 0 ? `${Math.max(MIN_MEMORY_MIB, Math.ceil(bytes / 1024 ** 2))}m` : null
}

function processorsOf(text: string): number | null {
  const [, number, milli] = /^(\d{1,6}(?:\.\d{1,6})?)(m?)$/.exec(text.trim()) ?? []
  const value = Number(number) / (milli === 'm' ? 1000 : 1)
  return value > 0 ? value : null
}

/** A list of words as the line that is split into the same words. */
function lineOf(command: string | readonly string[] | undefined): string | undefined {
  if (command === undefined || typeof command === 'string') return command
  return command
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ')
}

/** A part of a host name. */
function prefixOf(text: string): string {
  const safe = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_PREFIX_LENGTH)
  return safe.replaceAll(/^-+|-+$/g, '') || 'app'
}
