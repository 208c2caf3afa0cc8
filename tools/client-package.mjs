import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

// Writes the typed client as a package that npm can pack:
//   node tools/client-package.mjs <folder>
// docs/reference/cookbook.md#the-typed-client

const root = fileURLToPath(new URL('..', import.meta.url))

/** Imports of the sources end in `.ts`, those of the package in `.js`. */
const OWN_IMPORT = /(from |import |import\()(['"])(\.\/[\w-]+)\.ts\2/g

/** Writes the package to the folder, which must not exist. */
export function writeClientPackage(folder) {
  if (existsSync(folder)) throw new Error(`${folder} exists`)
  const dist = join(folder, 'dist')
  mkdirSync(dist, { recursive: true })
  const names = readdirSync(join(root, 'contract/src')).filter((name) => /(?<!\.test)\.ts$/.test(name))
  for (const name of names) {
    const source = readFileSync(join(root, 'contract/src', name), 'utf8')
    const { code } = transformSync(source, { loader: 'ts', format: 'esm', target: 'es2022' })
    writeFileSync(join(dist, name.replace(/ts$/, 'js')), code.replaceAll(OWN_IMPORT, '$1$2$3.js$2'))
  }
  writeDeclarations(dist, names)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(), null, 2)}\n`)
  writeFileSync(join(folder, 'README.md'), README)
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

function writeDeclarations(dist, names) {
  const folder = mkdtempSync(join(tmpdir(), 'pennant-client-'))
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const options = ['--emitDeclarationOnly', '--outDir', folder, '--tsBuildInfoFile', join(folder, 'info')]
    const done = spawnSync(process.execPath, [compiler, '-p', 'contract', ...options], {
      cwd: root,
      encoding: 'utf8',
    })
    if (done.status !== 0) throw new Error(`The declarations cannot be written: ${done.stdout}${done.stderr}`)
    for (const name of names.map((each) => each.replace(/ts$/, 'd.ts'))) {
      const text = readFileSync(join(folder, 'src', name), 'utf8')
      writeFileSync(join(dist, name), text.replaceAll(OWN_IMPORT, '$1$2$3.js$2'))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function manifestOf() {
  const { version, dependencies } = JSON.parse(readFileSync(join(root, 'contract/package.json'), 'utf8'))
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

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === resolve(process.argv[1])) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('usage: node tools/client-package.mjs <folder>')
  writeClientPackage(resolve(folder))
}
