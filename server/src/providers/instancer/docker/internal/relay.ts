import { FIRM, LOGS, networking, NPROC } from './bodies.ts'
import type { Labels } from './engine-calls.ts'
import type { Published } from './plan.ts'

// The relay: nginx in a container of its own for each instance, with nothing in it that depends on the team.
// Its `stream` module serves all connections from one process, so neither processes nor memory grow with
// them, and it passes on the end of one direction while the other is still in use.

/** Two of nginx's connections each. One instance serves one team. */
const MAX_SESSIONS = 1000
const BACKLOG = 1024
/** Two buffers of a session; the rest is nginx itself and the kernel's buffers. */
const BUFFER = '8k'
const MEMORY_BYTES = 64 * 1024 * 1024
/** nginx has two processes, and the shell that starts it. */
const MAX_PIDS = 16
const MAX_FILES = 4096
/** First port on which the relay listens, inside its container. */
const FIRST_PORT = 10_000
const NOBODY = '65534:65534'

/** A session of TCP ends with its ends, not by idling: keepalive finds those that vanished. */
const TCP_IDLE = '1d'
const UDP_IDLE = '2m'

export interface RelayOrder {
  readonly image: string
  readonly labels: Labels
  /** A network with outside access. */
  readonly network: string
  readonly published: readonly RelayedPort[]
}

/** Includes the address of the service. */
export type RelayedPort = Published & { readonly address: string }

/** Forwards ports of the host to services whose networks have no outside access. */
export function relayBody({ image, labels, network, published }: RelayOrder) {
  const inside = published.map((entry, at) => ({ ...entry, inner: `${FIRST_PORT + at}/${entry.protocol}` }))
  return {
    Image: image,
    Entrypoint: [
      'sh',
      '-c',
      'printf %s "$RELAY" > /tmp/relay.conf && exec nginx -e stderr -c /tmp/relay.conf',
    ],
    Env: [`RELAY=${relayConfig(published)}`],
    User: NOBODY,
    Labels: labels,
    // The image's own signal waits for open connections.
    StopSignal: 'SIGTERM',
    ExposedPorts: Object.fromEntries(inside.map(({ inner }) => [inner, {}])),
    HostConfig: {
      ...FIRM,
      NetworkMode: network,
      Init: false,
      PortBindings: Object.fromEntries(
        inside.map(({ inner, hostPort }) => [inner, [{ HostPort: String(hostPort) }]]),
      ),
      Tmpfs: { '/tmp': 'size=1m,mode=1777,noexec,nosuid,nodev' },
      Memory: MEMORY_BYTES,
      MemorySwap: MEMORY_BYTES,
      PidsLimit: MAX_PIDS,
      Ulimits: [
        { Name: 'nproc', Soft: NPROC.soft, Hard: NPROC.hard },
        { Name: 'nofile', Soft: MAX_FILES, Hard: MAX_FILES },
      ],
      RestartPolicy: { Name: 'unless-stopped' },
      LogConfig: LOGS,
    },
    ...networking({ network, address: null, alias: 'relay' }),
  }
}

/** The included folder loads the stream module in Debian's builds; official images have it built in. */
function relayConfig(published: readonly RelayedPort[]): string {
  return `include /etc/nginx/modules-enabled/*.conf;
daemon off;
worker_processes 1;
pid /tmp/relay.pid;
error_log stderr crit;
events { worker_connections ${2 * MAX_SESSIONS + published.length + 8}; }
stream {
  proxy_buffer_size ${BUFFER};
  proxy_connect_timeout 5s;
${published.map(serverOf).join('')}}
`
}

function serverOf({ protocol, address, port }: RelayedPort, at: number): string {
  const listen = protocol === 'udp' ? 'udp' : `backlog=${BACKLOG} so_keepalive=1m:15s:4`
  const session =
    protocol === 'udp' ? `proxy_timeout ${UDP_IDLE};` : `proxy_timeout ${TCP_IDLE}; proxy_half_close on;`
  return `  server { listen ${FIRST_PORT + at} ${listen}; proxy_pass ${address}:${port}; ${session} }\n`
}
