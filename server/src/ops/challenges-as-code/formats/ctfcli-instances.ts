import { isMinted, NEEDS_INSTANCE } from './ctfcli-flags.ts'
import type { CtfdChallenge } from './ctfcli-points.ts'
import { instanceOf, type ContainerSettings } from './instances.ts'
import { NOT_HERE, warnUnsupported, type Reader } from './reader.ts'
import type { ForeignDocument, Json } from './translation.ts'

const SCENARIO: Readonly<Record<string, readonly string[]>> = {
  dynamic_iac: [
    'scenario',
    'timeout',
    'until',
    'shared',
    'destroy_on_flag',
    'mana_cost',
    'min',
    'max',
    'additional',
  ],
  kubectf: ['template_name'],
}

/** The instance of a challenge whose type is a plugin that starts containers. */
export function instanceOfType(document: ForeignDocument, challenge: CtfdChallenge): Json | undefined {
  if (!NEEDS_INSTANCE.includes(challenge.type)) return undefined
  return SCENARIO[challenge.type] ? ofScenario(document, challenge) : ofContainer(document, challenge)
}

/** A program or a template that is somewhere else. */
function ofScenario({ options }: ForeignDocument, { reader, extra, type }: CtfdChallenge): undefined {
  extra.ignore(...(SCENARIO[type] ?? []))
  const message = `${type} has its scenario elsewhere: players cannot start it until the site has its instance`
  reader.report('type', message, { level: options.instances ? 'error' : 'warning', lint: 'instance' })
}

const WITHOUT_COUNTERPART = [
  'ssh_username',
  'ssh_password',
  'max_renewals',
  'limit',
  'connection_format',
  'yaml',
  'container_name',
  'cpu',
  'flag',
]

function ofContainer(document: ForeignDocument, challenge: CtfdChallenge): Json | undefined {
  const { reader, extra } = challenge
  const ports = portsOf(extra)
  const kind = first(extra, ['ctype', 'connection_type', 'conn_type', 'redirect_type'])?.toLowerCase() ?? ''
  const volumes = extra.has('volumes') || extra.has('docker_volumes')
  const minutes = extra.integer('timeout_minutes')
  const pids = extra.integer('pids_limit')
  const app: ContainerSettings = {
    field: 'extra',
    image: first(extra, ['image', 'docker_image', 'docker_image_name']),
    memory: extra.string('memory_limit') || undefined,
    cpus: extra.string('cpu_limit') || undefined,
    pids,
    command: first(extra, ['command', 'docker_command']),
    ...(isMinted(challenge) && { environment: { FLAG: '$SVC_FLAG' } }),
    refused: volumes ? [{ field: 'extra.volumes', message: 'mounts folders of the host' }] : [],
  }
  warnUnsupported(extra, WITHOUT_COUNTERPART, NOT_HERE)
  return instanceOf(document, reader, {
    field: 'type',
    containers: { app },
    expose: (ports.length === 0 ? [undefined] : ports).map((port) => ({
      container: 'app',
      port,
      kind: kind.startsWith('http') ? 'http' : 'tcp',
      field: 'extra',
    })),
    lifetimeMs: minutes === undefined ? undefined : minutes * 60_000,
  })
}

const PORTS = ['port', 'internal_port', 'internal_ports', 'redirect_port', 'docker_ports']

/** One port, several with a comma between them, or a list. */
function portsOf(extra: Reader): number[] {
  const texts = PORTS.flatMap((name) => extra.strings(name) ?? [])
  const ports = texts.flatMap((text) => text.split(',')).map((text) => text.trim().split('/')[0] ?? '')
  return [...new Set(ports.filter((text) => /^\d{1,5}$/.test(text)).map(Number))]
}

/** Asks for all of the names, so that none of them is unknown. */
function first(reader: Reader, names: readonly string[]): string | undefined {
  return names.map((name) => reader.string(name)).find((value) => value !== undefined && value !== '')
}
