import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Agent, request } from 'undici'
import { eventually } from './eventually.ts'
import { temporaryFolder } from './folder.ts'

/** What tests run in containers: a shell and small tools, without any registry. */
export const TEST_IMAGE = 'docker.io/library/busybox:1.37'
const EXEC_LIMIT_MS = 30_000
const BUSYBOX = '/usr/bin/busybox'
const APPLETS =
  'sh nc httpd wget cat echo printf sleep id ls dd head yes ip hostname nslookup true env'.split(' ')

/** The address of an engine that answers Docker's API, with the test image, empty and alone in its folder. */
export interface TestEngine extends AsyncDisposable {
  readonly url: string
  readonly socketPath: string
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>
  /** Runs a command of the shell in a container, and gives what it printed on both streams. */
  exec(container: string, command: string): Promise<string>
  /** Ends the service as a crash would. Containers go on. */
  stop(): Promise<void>
  /** The same, and starts it again. */
  restart(): Promise<void>
}

/**
 * Starts Podman's service. It gives each container a limit of processes above the host's own unless told otherwise, and
 * its own network, storage and run folders here keep it apart from whatever else is on the machine.
 */
export async function startEngine(): Promise<TestEngine> {
  const folder = await temporaryFolder()
  const socketPath = join(folder.path, 'engine.sock')
  const settings = join(folder.path, 'containers.conf')
  writeFileSync(settings, settingsIn(folder.path))
  let service = await startService(folder.path, settings)
  const agent = new Agent({ connect: { socketPath } })

  async function call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const answer = await request(`http://engine${path}`, {
      dispatcher: agent,
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  const ready = () =>
    eventually(async () => {
      const { body } = await request('http://engine/_ping', { dispatcher: agent })
      await body.dump()
    })
  await ready()
  importImage(folder.path, settings)

  return {
    url: `unix://${socketPath}`,
    socketPath,
    call,
    async exec(container, command) {
      const args = [...storageIn(folder.path), 'exec', container, 'sh', '-c', `{ ${command}\n} 2>&1`]
      const env = { ...process.env, CONTAINERS_CONF: settings }
      // Not in this thread's way: the test may serve what the command asks.
      const run = promisify(execFile)('podman', args, { env, timeout: EXEC_LIMIT_MS })
      const { stdout, stderr } = await run.catch((failed: { stdout: string; stderr: string }) => failed)
      return `${stdout}${stderr}`
    },
    stop: () => end(service, 'SIGKILL'),
    async restart() {
      await end(service, 'SIGKILL')
      service = await startService(folder.path, settings)
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
[engine.runtimes]
runc = ["/usr/sbin/runc"]
[network]
network_config_dir = "${folder}/networks"
`
}

function storageIn(folder: string): string[] {
  return ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
}

async function startService(folder: string, settings: string): Promise<ChildProcess> {
  const args = [
    ...storageIn(folder),
    'system',
    'service',
    '--time',
    '0',
    `unix://${join(folder, 'engine.sock')}`,
  ]
  const service = spawn('podman', args, {
    env: { ...process.env, CONTAINERS_CONF: settings },
    stdio: ['ignore', 'ignore', 'ignore'],
    // What watches a container leaves a note there when memory runs out.
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

function importImage(folder: string, settings: string): void {
  const files = join(folder, 'image')
  mkdirSync(join(files, 'bin'), { recursive: true })
  for (const name of ['tmp', 'etc', 'proc', 'sys', 'dev']) mkdirSync(join(files, name))
  // As usual images have it: a tmpfs there takes it over.
  chmodSync(join(files, 'tmp'), 0o1777)
  copyFileSync(BUSYBOX, join(files, 'bin/busybox'))
  chmodSync(join(files, 'bin/busybox'), 0o755)
  for (const name of APPLETS) symlinkSync('busybox', join(files, 'bin', name))
  writeFileSync(join(files, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\n')
  const archive = join(folder, 'image.tar')
  spawnSync('tar', ['-C', files, '-cf', archive, '.'])
  podman(folder, settings, ['import', '--change', 'ENV PATH=/bin', archive, TEST_IMAGE])
  rmSync(archive)
}
