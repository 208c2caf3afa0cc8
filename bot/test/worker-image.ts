import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildImage, type Podman } from '../../server/test/podman-image.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
export const WORKER_IMAGE = 'localhost/pennant-bot'

/** The packages of the container file, the libraries of Node, and the attackers' tools of the tests. */
const PACKAGES = ['chromium', 'fonts-liberation', 'iproute2', 'tini', 'libstdc++6', 'util-linux', 'perl-base']

export async function buildWorkerImage(podman: Podman): Promise<void> {
  const built = join(podman.folder, 'built')
  const parts = ['playwright-core', 'esbuild', '@esbuild'].map((name) => join('node_modules', name))
  for (const part of [...parts, 'bot/dist', 'bot/package.json'])
    cpSync(join(root, part), join(built, 'pennant', part), { recursive: true })
  await buildImage(podman, {
    tag: WORKER_IMAGE,
    containerFile: 'deploy/bot/Containerfile',
    packages: PACKAGES,
    built,
  })
}
