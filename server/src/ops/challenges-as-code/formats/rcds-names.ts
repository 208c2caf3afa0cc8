import type { RcdsProject } from './rcds-project.ts'
import { isMap, mapOf, type ForeignDocument, type Json } from './translation.ts'

/** What a description shows instead of the address of an instance: nothing, without the quotes around it. */
const NO_ADDRESS = '\u0000'
const ADDRESS = ['host', 'port', 'nc', 'url', 'link']
const ADDRESS_OF_INSTANCE = /\[[^[\]\n]{0,200}\]\(\0\)|`*\0`*/g
/** What a fork fills in when a player reads the description. */
const INSTANCER = '{instancer}'

/** Whether a name of a description depends on an exposed port. */
export function isAddress(name: string): boolean {
  return ADDRESS.includes(name) || /^challenge\s*\.\s*expose\b/.test(name)
}

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
  const address = addressOf(Object.values(expose).flat())
  return {
    challenge,
    ...(hasInstances ? Object.fromEntries(ADDRESS.map((name) => [name, NO_ADDRESS])) : address),
    instancer: hasInstances ? NO_ADDRESS : '{{ instancer }}',
    adminbot: typed['adminbot'] === undefined || typed['adminbot'] === null ? '{{ adminbot }}' : '',
  }
}

/** A description without addresses of instances, and without the links and quotes around them. */
export function withoutAddresses(description: string, hasInstances: boolean): string {
  const text = hasInstances ? description.replaceAll(INSTANCER, NO_ADDRESS) : description
  return text.replaceAll(ADDRESS_OF_INSTANCE, '')
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

/** Names for the only port or, as in a fork, for the only one of each kind. */
function addressOf(ports: readonly Json[]): Json {
  const [web = {}, tcp = {}] = ['http', 'tcp'].map((kind) => {
    const [port, other] = ports.filter((each) => each[kind] !== undefined)
    return port && !other ? namesOfPort(port) : {}
  })
  return { ...tcp, ...web, host: tcp['host'] ?? web['host'] }
}

function namesOfPort({ tcp, http, host }: Json): Json {
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
