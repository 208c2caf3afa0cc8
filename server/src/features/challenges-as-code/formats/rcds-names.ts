import type { RcdsProject } from './rcds-project.ts'
import { isMap, type ForeignDocument, type Json } from './translation.ts'

/** What a description shows instead of the address of an instance: nothing, without the quotes around it. */
const NO_ADDRESS = '\u0000'
const ADDRESS = ['host', 'port', 'nc', 'url', 'link']
const QUOTED_NO_ADDRESS = /`*\0`*/g

interface Computed {
  readonly id: string
  readonly category: string | undefined
  /** The text of the flag, if it has one. */
  readonly flag: string | undefined
  readonly hasInstances: boolean
}

/** The names of a description: the challenge as rCDS completes it, and the address of its only exposed port. */
export function namesOf({ typed }: ForeignDocument, project: RcdsProject, computed: Computed): Json {
  const { id, category, flag, hasInstances } = computed
  const isFull = Object.values(mapOf(typed['containers'])).some(
    (each) => isMap(each) && isMap(each['challenge']),
  )
  const expose = Object.fromEntries(
    Object.entries(mapOf(typed['expose'])).map(([container, ports]) => [
      container,
      Array.isArray(ports) ? ports.map((port: unknown) => portOf(mapOf(port), project, isFull)) : [],
    ]),
  )
  const challenge = { ...typed, id, category, flag: flag ?? typed['flag'], expose }
  const exposed: readonly Json[] = Object.values(expose).flat()
  const [only] = exposed
  const address = exposed.length === 1 && only ? addressOf(only) : {}
  return {
    challenge,
    ...(hasInstances ? Object.fromEntries(ADDRESS.map((name) => [name, NO_ADDRESS])) : address),
    instancer: hasInstances ? '' : '{{ instancer }}',
    adminbot: typed['adminbot'] === undefined || typed['adminbot'] === null ? '{{ adminbot }}' : '',
  }
}

export function withoutAddresses(description: string): string {
  return description.replaceAll(QUOTED_NO_ADDRESS, '')
}

/** Where players reach a port that is encrypted with TLS and has a name of its own. */
const TLS_PORT = 1337

/** A port with the full name of its host. In a fork, both keys have full names already. */
function portOf(port: Json, { domain, httpDomain }: RcdsProject, isFull: boolean): Json {
  const { tcp, http } = port
  if (typeof tcp === 'string' && !/^\d+$/.test(tcp)) return { ...port, host: tcp }
  if (tcp !== undefined && tcp !== null) return { ...port, host: domain ?? undefined }
  if (isMap(http)) return { ...port, http: http['raw'] }
  if (typeof http !== 'string' || isFull) return port
  return { ...port, http: httpDomain === null ? undefined : `${http}.${httpDomain}` }
}

function addressOf({ tcp, http, host }: Json): Json {
  if (typeof http === 'string')
    return { host: http, url: `https://${http}`, link: `[${http}](https://${http})` }
  if (typeof host !== 'string') return {}
  if (host === tcp) return { host, port: TLS_PORT, nc: `ncat --ssl ${host} ${TLS_PORT}` }
  const place = `${host}:${String(tcp)}`
  return {
    host,
    port: tcp,
    nc: `nc ${host} ${String(tcp)}`,
    url: `http://${place}`,
    link: `[${place}](http://${place})`,
  }
}

function mapOf(value: unknown): Json {
  return isMap(value) ? value : {}
}
