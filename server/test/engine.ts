import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import '../src/lib/builtin-fetch.ts'
import { Agent, request } from 'undici'
import { eventually } from './eventually.ts'
import { temporaryFolder } from './folder.ts'
import type { TestMachine } from './machine.ts'

/** The image for test containers: a shell and small tools; no registry needed. */
export const TEST_IMAGE = 'docker.io/library/busybox:1.37'
/** Stands for the official image of the same name: this machine's nginx, with socat for services. */
export const RELAY_IMAGE = 'docker.io/library/nginx:1.28-alpine-slim'
const EXEC_LIMIT_MS = 30_000
const HELPERS = '/usr/lib/podman'
const NGINX = '/usr/sbin/nginx'
const SOCAT = '/usr/bin/socat'
const NGINX_STREAM = '/usr/lib/nginx/modules/ngx_stream_module.so'
const BUSYBOX = '/usr/bin/busybox'
const APPLETS =
  'sh nc httpd wget cat echo printf sleep id ls dd df grep head yes ip hostname nslookup true env'.split(' ')

/**
 * A running engine that serves Docker's API. It contains only the test image and keeps its data in a folder
 * of its own.
 */
export interface TestEngine extends AsyncDisposable {
  readonly url: string
  readonly socketPath: string
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>
  /** Runs a shell command in a container and returns stdout and stderr combined. */
  exec(container: string, command: string): Promise<string>
  /** Kills the service, as a crash would. Containers keep running. */
  stop(): Promise<void>
  /** Kills the service once it has set up the network of a container with ports, before it records that. */
  killInNetworkSetup(): Promise<void>
  /** Kills the service and starts it again. */
  restart(): Promise<void>
}

/**
 * Starts Podman's API service. Unless a request sets a process limit, Podman gives a container one above the
 * host's own. Separate network, storage and run folders isolate it from other engines on this host. With
 * `machine`, it uses the network and the firewall of that network namespace.
 */
export async function startEngine(machine?: TestMachine): Promise<TestEngine> {
  const folder = await temporaryFolder()
  const socketPath = join(folder.path, 'engine.sock')
  const settings = join(folder.path, 'containers.conf')
  writeFileSync(settings, settingsIn(folder.path))
  mkdirSync(join(folder.path, 'helpers'))
  writeFileSync(join(folder.path, 'helpers/netavark'), netavarkIn(folder.path), { mode: 0o755 })
  const enter = machine?.enter ?? []
  let service = await startService(folder.path, settings, enter)
  const agent = new Agent({ connect: { socketPath } })

  async function call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const response = await request(`http://engine${path}`, {
      dispatcher: agent,
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.body.text()
    if (response.statusCode >= 400) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  const ready = () =>
    eventually(async () => {
      const { body } = await request('http://engine/_ping', { dispatcher: agent })
      await body.dump()
    })
  await ready()
  importImages(folder.path, settings)

  return {
    url: `unix://${socketPath}`,
    socketPath,
    call,
    async exec(container, command) {
      const args = [...storageIn(folder.path), 'exec', container, 'sh', '-c', `{ ${command}\n} 2>&1`]
      const env = { ...process.env, CONTAINERS_CONF: settings }
      // Asynchronous, because the test process itself may serve what the command requests.
      const run = promisify(execFile)('podman', args, { env, timeout: EXEC_LIMIT_MS })
      const { stdout, stderr } = await run.catch((failed: { stdout: string; stderr: string }) => failed)
      return `${stdout}${stderr}`
    },
    stop: () => end(service, 'SIGKILL'),
    async killInNetworkSetup() {
      const killed = once(service, 'exit')
      writeFileSync(join(folder.path, 'kill'), '')
      await killed
    },
    async restart() {
      await end(service, 'SIGKILL')
      service = await startService(folder.path, settings, enter)
      await ready()
    },
    async [Symbol.asyncDispose]() {
      await agent.close()
      podman(folder.path, settings, ['rm', '--all', '--force', '--time', '0'])
      podman(folder.path, settings, ['network', 'prune', '--force'])
      await end(service, 'SIGTERM')
      await folder[Symbol.asyncDispose]()
    },
  }
}

function settingsIn(folder: string): string {
  return `[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
helper_binaries_dir = ["${folder}/helpers", "${HELPERS}"]
[engine.runtimes]
runc = ["/usr/sbin/runc"]
[network]
network_config_dir = "${folder}/networks"
`
}

/** Netavark, and the end of the engine that called it if that was asked for. */
function netavarkIn(folder: string): string {
  return `#!/bin/sh
input=$(cat)
printf %s "$input" | ${HELPERS}/netavark "$@" || exit
case "$* $input" in *" setup "*host_port*) rm ${folder}/kill 2>/dev/null && kill -9 $PPID ;; esac
exit 0
`
}

function storageIn(folder: string): string[] {
  return ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
}

async function startService(
  folder: string,
  settings: string,
  enter: readonly string[],
): Promise<ChildProcess> {
  const [command = 'podman', ...args] = [
    ...enter,
    'podman',
    ...storageIn(folder),
    'system',
    'service',
    '--time',
    '0',
    `unix://${join(folder, 'engine.sock')}`,
  ]
  const service = spawn(command, args, {
    env: { ...process.env, CONTAINERS_CONF: settings },
    stdio: ['ignore', 'ignore', 'ignore'],
    // conmon writes a file into its working directory when a container runs out of memory.
    cwd: folder,
  })
  await once(service, 'spawn')
  return service
}

async function end(service: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return
  const ended = once(service, 'exit')
  service.kill(signal)
  await ended
}

function podman(folder: string, settings: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync('podman', [...storageIn(folder), ...args], {
    env: { ...process.env, CONTAINERS_CONF: settings },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`podman ${args.join(' ')}: ${stderr}`)
}

/** The relay's image has more programs, and the libraries that they load. */
function importImages(folder: string, settings: string): void {
  const files = join(folder, 'image')
  mkdirSync(join(files, 'bin'), { recursive: true })
  for (const name of ['tmp', 'etc', 'proc', 'sys', 'dev']) mkdirSync(join(files, name))
  // The mode that common images use; a tmpfs mounted there inherits it.
  chmodSync(join(files, 'tmp'), 0o1777)
  copyFileSync(BUSYBOX, join(files, 'bin/busybox'))
  chmodSync(join(files, 'bin/busybox'), 0o755)
  for (const name of APPLETS) symlinkSync('busybox', join(files, 'bin', name))
  writeFileSync(join(files, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\n')
  const archive = join(folder, 'image.tar')
  const importAs = (image: string) => {
    spawnSync('tar', ['-C', files, '-cf', archive, '.'])
    podman(folder, settings, ['import', '--change', 'ENV PATH=/bin:/usr/sbin:/usr/bin', archive, image])
    rmSync(archive)
  }
  importAs(TEST_IMAGE)
  const { stdout } = spawnSync('ldd', [NGINX, SOCAT], { encoding: 'utf8' })
  const libraries = [...stdout.matchAll(/(\/\S+) \(/g)].map(([, path = '']) => path)
  for (const path of [NGINX, SOCAT, NGINX_STREAM, ...new Set(libraries)]) {
    mkdirSync(join(files, dirname(path)), { recursive: true })
    copyFileSync(path, join(files, path))
    chmodSync(join(files, path), 0o755)
  }
  mkdirSync(join(files, 'etc/nginx/modules-enabled'), { recursive: true })
  writeFileSync(join(files, 'etc/nginx/modules-enabled/stream.conf'), `load_module ${NGINX_STREAM};\n`)
  importAs(RELAY_IMAGE)
}
