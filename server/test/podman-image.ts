import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const OUTPUT_LIMIT = 64 * 1024 * 1024

/** Podman with its own storage folder. */
export interface Podman {
  readonly folder: string
  (...args: readonly string[]): Promise<string>
}

export function podmanIn(folder: string): Podman {
  const settings = join(folder, 'containers.conf')
  writeFileSync(
    settings,
    `[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "none"\n[engine.runtimes]\nrunc = ["/usr/sbin/runc"]\n`,
  )
  const storage = [
    '--root',
    join(folder, 'root'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'overlay',
  ]
  const call = async (...args: readonly string[]) => {
    const env = { ...process.env, CONTAINERS_CONF: settings }
    const { stdout, stderr } = await run('podman', [...storage, ...args], { env, maxBuffer: OUTPUT_LIMIT })
    // `podman logs` prints the container's standard error to its own standard error.
    return args[0] === 'logs' ? stdout + stderr : stdout
  }
  return Object.assign(call, { folder })
}

/** Builds an image as a release does, for this machine's architecture, and loads it as `localhost/<name>`. */
export async function loadImage(podman: Podman, name: 'pennant' | 'pennant-bot'): Promise<void> {
  const args = ['tools/run.mjs', 'image', name, '--out', podman.folder]
  await run(process.execPath, args, { cwd: root, maxBuffer: OUTPUT_LIMIT })
  const file = join(podman.folder, `${name}.oci.tar`)
  await podman('load', '--input', file)
  await rm(file)
}
