import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, connect, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDisposal } from '../../server/src/lib/disposal.ts'
import { eventually } from '../../server/test/eventually.ts'
import type { Podman } from '../../server/test/podman-image.ts'
import type { WorkerProcess } from './worker-process.ts'

// Runs a container of the worker's image with the options of deploy/bot/compose.yaml. Instead of a network it
// has addresses on its own loopback interface (relay.mjs), so that this machine's network is not affected.

const composeFile = fileURLToPath(new URL('../../deploy/bot/compose.yaml', import.meta.url))
const testFolder = fileURLToPath(new URL('.', import.meta.url))

const WORKER_IMAGE = 'localhost/pennant-bot'

/** The probe's interpreter, which the image does not have. */
const LIBRARIES = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`
const PERL = ['/usr/bin/perl', `${LIBRARIES}/perl-base`, `${LIBRARIES}/libcrypt.so.1`]

/** Addresses inside the container. Only the page is in ALLOW_PRIVATE. */
export const addresses = {
  page: '10.77.0.2:80',
  server: '10.77.0.1:8080',
  internal: '192.168.77.1:80',
  metadata: '169.254.169.254:80',
  check: '127.0.0.1:21337',
}
export const KEY_FILE = '/run/secrets/bot-key'

export interface ContainerOptions {
  /** The worker's environment variables, which override those of the image. */
  readonly env?: Readonly<Record<string, string>>
  /** Replaces the seccomp profile of compose.yaml. */
  readonly seccomp?: 'unconfined' | 'default'
  /** Replace those of compose.yaml. */
  readonly capabilities?: readonly string[]
  readonly keyMode?: number
}

export interface WorkerContainer extends WorkerProcess {
  readonly name: string
}

/** Podman's defaults may exceed the limits of this machine. */
const RLIMITS = '--ulimit nofile=4096:4096 --ulimit nproc=4096:4096'

let containers = 0

/** Starts a worker for a server on this machine, for `startStage`. */
export async function startWorkerContainer(
  podman: Podman,
  env: Readonly<Record<string, string>>,
  options: ContainerOptions = {},
): Promise<WorkerContainer> {
  const { BASE_URL = '', SECRET_KEY = '', PORT = '0' } = env
  const disposal = createDisposal()
  containers += 1
  const name = `worker-${containers}`
  const sockets = join(podman.folder, name)
  mkdirSync(sockets)
  const key = join(podman.folder, `${name}.key`)
  writeFileSync(key, `${SECRET_KEY}\n`)
  chmodSync(key, options.keyMode ?? 0o400)
  chownSync(key, 1000, 1000)
  disposal.defer(await relay(join(sockets, 'server.sock'), Number(new URL(BASE_URL).port)))
  disposal.defer(() => removeContainer(podman, `${name}-network`))
  await startNetwork(podman, `${name}-network`, sockets)
  disposal.defer(() => removeContainer(podman, name))
  const variables = {
    BASE_URL: `http://${addresses.server}`,
    ALLOW_PRIVATE: addresses.page,
    POLL_INTERVAL_MS: '100',
    ...options.env,
  }
  await podman(
    ...`run --detach --name ${name} --network container:${name}-network ${RLIMITS}`.split(' '),
    ...composeOptions(options),
    ...Object.entries(variables).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
    ...PERL.flatMap((path) => ['--volume', `${path}:${path}:ro`]),
    ...`--volume ${key}:${KEY_FILE}:ro --volume ${testFolder}:/attack:ro ${WORKER_IMAGE}`.split(' '),
  )
  const { log, failure } = await waitForStart(podman, name)
  if (failure !== null) {
    await disposal[Symbol.asyncDispose]()
    throw new Error(failure)
  }
  disposal.defer(await relay(Number(PORT), join(sockets, 'worker.sock')))
  return {
    id: 0,
    name,
    url: `http://127.0.0.1:${PORT}`,
    log,
    ended: new Promise(() => {}),
    signal: (signal) => void podman('kill', '--signal', signal, name),
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  }
}

/** Of the resource limits only the one for processes: this machine's engine may not support the others. */
function composeOptions({ seccomp, capabilities }: ContainerOptions): string[] {
  const text = readFileSync(composeFile, 'utf8')
  const valueOf = (key: string) => {
    const value = new RegExp(`^  ${key}: (.*)$`, 'm').exec(text)?.[1]
    if (value === undefined) throw new Error(`compose.yaml has no ${key}`)
    return value
  }
  const listOf = (key: string) =>
    valueOf(key)
      .replace(/^\[(.*)\]$/, '$1')
      .split(', ')
      .map((entry) => entry.replace(/^'(.*)'$/, '$1'))
  const profile = seccomp ?? join(dirname(composeFile), 'seccomp.json')
  const security = listOf('security_opt').flatMap((option) => {
    if (option !== 'seccomp=./seccomp.json') return [option]
    return profile === 'default' ? [] : [`seccomp=${profile}`]
  })
  return [
    `--read-only=${valueOf('read_only')}`,
    ...listOf('cap_drop').map((one) => `--cap-drop=${one}`),
    ...(capabilities ?? listOf('cap_add')).map((one) => `--cap-add=${one}`),
    ...security.map((one) => `--security-opt=${one}`),
    ...listOf('tmpfs').map((one) => `--tmpfs=${one}`),
    `--pids-limit=${valueOf('pids_limit')}`,
  ]
}

async function startNetwork(podman: Podman, name: string, sockets: string): Promise<void> {
  const { page, server, internal, metadata } = addresses
  const hosts = [page, server, internal, metadata].map((address) => address.split(':')[0])
  await podman(
    ...`run --detach --name ${name} --network none --cap-add NET_ADMIN ${RLIMITS}`.split(' '),
    ...`--volume ${testFolder}:/attack:ro --volume ${sockets}:/sockets --entrypoint node`.split(' '),
    ...`${WORKER_IMAGE} /attack/relay.mjs /sockets ${hosts.join(' ')}`.split(' '),
  )
  await eventually(async () => {
    if (!(await podman('logs', name)).includes('ready')) throw new Error('the relay is not ready')
  })
}

/** The worker's log until it pulls, or until it exits. */
async function waitForStart(podman: Podman, name: string) {
  return await eventually(async () => {
    const state = await podman('inspect', '--format', '{{.State.Running}}', name)
    const lines = (await podman('logs', name)).split('\n')
    const log = lines
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { msg: string; port?: number })
    if (log.some(({ port }) => port !== undefined)) return { log, failure: null }
    if (state.trim() === 'false') return { log, failure: lines.join('\n') }
    throw new Error('the worker does not pull yet')
  })
}

/** Arguments and environment of a container's processes, as root sees them from outside. */
export async function readProcessTexts(podman: Podman, name: string): Promise<string[]> {
  const id = (await podman('inspect', '--format', '{{.Id}}', name)).trim()
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      // The process has ended in the meantime.
      return ''
    }
  }
  return readdirSync('/proc')
    .filter((one) => /^\d+$/.test(one) && read(`/proc/${one}/cgroup`).includes(id))
    .map((one) => read(`/proc/${one}/cmdline`) + read(`/proc/${one}/environ`))
}

async function removeContainer(podman: Podman, name: string): Promise<void> {
  await podman('rm', '--force', '--time', '0', '--ignore', name)
}

/** Forwards connections; returns a function that stops it. */
async function relay(from: string | number, to: string | number): Promise<() => Promise<void>> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = typeof to === 'string' ? connect(to) : connect(to, '127.0.0.1')
    client.pipe(upstream).pipe(client)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one)
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          open.delete(one)
          other.destroy()
        })
    }
  })
  await new Promise<void>((resolve) =>
    typeof from === 'string' ? server.listen(from, resolve) : server.listen(from, '127.0.0.1', resolve),
  )
  return async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
}
