import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../server/test/folder.ts'
import { build } from './build.mjs'

// The test suite runs the sources, operators run the bundle. These tests cover what the bundle loads lazily.

const root = fileURLToPath(new URL('..', import.meta.url))

function run(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PENNANT_'))
  const done = spawnSync(command, args, {
    cwd: root,
    env: { ...Object.fromEntries(inherited), ...env },
    encoding: 'utf8',
  })
  return { status: done.status, output: done.stdout, complaints: done.stderr }
}

// Only what is missing: other tests use the same build.
beforeAll(() => build(root))

test('the bundle reads a configuration file and prints it', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'pennant.yaml')
  writeFileSync(file, 'ctfName: Bundled\nemail:\n  from: ctf@ctf.example\n  provider: emails/memory\n')
  const env = { PENNANT_CONFIG: file, PENNANT_DATA_DIR: folder.path }
  expect(run(process.execPath, ['server/dist/main.js', 'config', 'check'], env)).toMatchObject({ status: 0 })
  const printed = run(process.execPath, ['server/dist/main.js', 'config', 'print'], env)
  expect(printed).toMatchObject({ status: 0, complaints: '' })
  expect(printed.output).toContain('ctfName: Bundled')
})

/** Chunks with the Kubernetes client and its 73 packages. */
function kubernetesChunks(): string[] {
  const folder = join(root, 'server/dist/chunks')
  // The chunks have no comments that name their sources.
  const isIn = (name: string) =>
    readFileSync(join(folder, `${name}.map`), 'utf8').includes('node_modules/@kubernetes/client-node/')
  return readdirSync(folder).filter((name) => name.endsWith('.js') && isIn(name))
}

/** Starts the bundle, stops it once the output matches, and returns the files that it loaded. */
async function filesLoaded(folder: string, env: Record<string, string>, until: RegExp): Promise<string[]> {
  const list = join(folder, 'loaded')
  const hook = `import { appendFileSync } from 'node:fs'
    export async function load(url, context, next) {
      appendFileSync(${JSON.stringify(list)}, url + '\\n')
      return next(url, context)
    }`
  const register = `import { register } from 'node:module'
    register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(hook))})`
  const start = ['--import', `data:text/javascript,${encodeURIComponent(register)}`]
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PENNANT_'))
  const server = spawn(process.execPath, [...start, 'server/dist/main.js', 'serve'], {
    cwd: root,
    env: {
      ...Object.fromEntries(inherited),
      PENNANT_DATA_DIR: join(folder, 'data'),
      HOST: '127.0.0.1',
      ...env,
    },
  })
  const exit = once(server, 'exit')
  let output = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (until.test(output)) server.kill('SIGTERM')
    })
  await exit
  expect(output).toMatch(until)
  return readFileSync(list, 'utf8').split('\n')
}

test('a server without Kubernetes does not load its client', async () => {
  const chunks = kubernetesChunks()
  expect(chunks.length).toBeGreaterThan(0)
  const isClient = (url: string) => chunks.some((name) => url.endsWith(`/${name}`))
  await using folder = await temporaryFolder()
  const config = join(folder.path, 'pennant.yaml')
  const env = { PENNANT_CONFIG: config, PORT: '0' }
  writeFileSync(config, 'ctfName: Without\n')
  const loaded = await filesLoaded(folder.path, env, /Pennant is ready/)
  expect(loaded.filter((url) => url.includes('/server/dist/chunks/')).length).toBeGreaterThan(5)
  expect(loaded.filter(isClient)).toEqual([])
  // With a Kubernetes instancer the client is loaded, although the start fails without a kubeconfig. This
  // shows that `chunks` names the client's files.
  const options = { kubeconfig: join(folder.path, 'none'), domain: 'inst.example' }
  writeFileSync(config, JSON.stringify({ instancers: { k8s: { name: 'instancers/kubernetes', options } } }))
  const withClient = await filesLoaded(folder.path, env, /ENOENT/)
  expect(withClient.filter(isClient)).not.toEqual([])
})

test('the build includes a software bill of materials', () => {
  const path = join(root, 'server/dist/sbom.json')
  expect(existsSync(path)).toBe(true)
  const sbom = JSON.parse(readFileSync(path, 'utf8')) as {
    bomFormat: string
    metadata: { component: { name: string; version: string } }
    components: { name: string; version: string; purl: string; hashes?: unknown }[]
  }
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'pennant' } } })
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; dev?: boolean; link?: boolean }>
  }
  const listed = new Set(sbom.components.map(({ purl }) => decodeURIComponent(purl)))
  const shipped = Object.entries(lock.packages)
    .filter(([place, { dev, link }]) => place.includes('node_modules/') && !dev && !link)
    .map(([place, { version }]) => `pkg:npm/${place.split('node_modules/').at(-1)}@${version}`)
  expect(shipped.length).toBeGreaterThan(50)
  expect(shipped.filter((purl) => !listed.has(purl))).toEqual([])
  expect([...listed].filter((purl) => /^pkg:npm\/(?:vitest|oxlint|typescript)@/.test(purl))).toEqual([])
})
