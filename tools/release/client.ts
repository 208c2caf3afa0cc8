import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { writeArchive, type ArchiveEntry } from './archive.ts'
import type { Part } from './part.ts'

/** The typed client as a package of npm: docs/reference/cookbook.md#the-typed-client */
export const client: Part = {
  name: 'client',
  async build({ root, out, version, time }) {
    const name = `pennant-client-${version}.tgz`
    await writeArchive(join(out, name), await clientPackage(root, version), time)
    return [{ name }]
  },
}

/** Imports of the sources end in `.ts`, those of the package in `.js`. */
const OWN_IMPORT = /(from |import |import\()(['"])(\.\/[\w-]+)\.ts\2/g

const toScript = (source: string) => source.replaceAll(OWN_IMPORT, '$1$2$3.js$2')

export async function clientPackage(root: string, version: string): Promise<ArchiveEntry[]> {
  const sources = join(root, 'contract/src')
  const names = readdirSync(sources).filter((name) => /(?<!\.test)\.ts$/.test(name))
  const scripts = names.map((name) => {
    const source = readFileSync(join(sources, name), 'utf8')
    const { code } = transformSync(source, { loader: 'ts', format: 'esm', target: 'es2022' })
    return { path: `package/dist/${name.replace(/ts$/, 'js')}`, content: toScript(code) }
  })
  return [
    ...scripts,
    ...(await declarations(root, names)),
    { path: 'package/package.json', content: `${JSON.stringify(manifestOf(root, version), null, 2)}\n` },
    { path: 'package/README.md', content: README },
    { path: 'package/LICENSE', file: join(root, 'LICENSE') },
  ]
}

async function declarations(root: string, names: readonly string[]): Promise<ArchiveEntry[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pennant-client-'))
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const options = ['--emitDeclarationOnly', '--outDir', folder, '--tsBuildInfoFile', join(folder, 'info')]
    const done = spawnSync(process.execPath, [compiler, '-p', 'contract', ...options], {
      cwd: root,
      encoding: 'utf8',
    })
    if (done.status !== 0) throw new Error(`The declarations cannot be written: ${done.stdout}${done.stderr}`)
    return names
      .map((name) => name.replace(/ts$/, 'd.ts'))
      .map((name) => ({
        path: `package/dist/${name}`,
        content: toScript(readFileSync(join(folder, 'src', name), 'utf8')),
      }))
  } finally {
    await rm(folder, { recursive: true })
  }
}

function manifestOf(root: string, version: string) {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'contract/package.json'), 'utf8')) as {
    dependencies: object
  }
  return {
    name: '@pennant/client',
    version,
    description: 'The typed client of the API of Pennant.',
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: '>=20.19.0' },
    exports: { './*': { types: './dist/*.d.ts', default: './dist/*.js' } },
    files: ['dist'],
    sideEffects: false,
    dependencies,
  }
}

const README = `# @pennant/client

The typed client of the API of a Pennant server, a capture-the-flag contest platform. Each module of the API is a file:

\`\`\`ts
import { listChallengesV2 } from '@pennant/client/challenges'
import { createClient } from '@pennant/client/client'

const call = createClient({ baseUrl: 'https://ctf.example' })
const result = await call(listChallengesV2, {})
if (result.kind === 'goodChallenges') console.log(result.data.length)
\`\`\`
`
