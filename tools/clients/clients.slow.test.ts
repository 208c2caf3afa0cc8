import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { allRoutes } from '@pennant/contract/all.ts'
import { openApi } from '@pennant/contract/openapi.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../server/test/folder.ts'
import { writeArchive } from '../release/archive.ts'
import { clientPackage } from '../release/client.ts'
import { cookbookSnippets, isAsShown } from './snippets.ts'
import { startSite, type Site } from './site.ts'

// What others do with the OpenAPI document and the typed client: lint it, generate clients from it, install the package, run the
// snippets of docs/reference/cookbook.md.

const run = promisify(execFile)
const here = import.meta.dirname
const tools = join(here, 'node_modules')
const env = {
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NO_COLOR: '1',
}
const MINUTES_MS = 300_000

let site: Site
let folder: Awaited<ReturnType<typeof temporaryFolder>>
/** The typed client, installed from its tarball in a folder without anything else. */
let project = ''

/** Runs a tool of this folder's packages. */
async function tool(path: string, args: readonly string[], cwd = folder.path): Promise<string> {
  return (await run(process.execPath, [join(tools, path), ...args], { cwd, env })).stdout
}

const npm = (args: readonly string[], cwd: string) =>
  run('npm', [...args, '--no-fund', '--no-audit', '--ignore-scripts'], { cwd, env })

/** Compiles programs as strictly as its users may. */
async function compile(programs: readonly string[], cwd: string): Promise<void> {
  const { compilerOptions } = JSON.parse(readFileSync(join(here, 'tsconfig.json'), 'utf8')) as object &
    Record<'compilerOptions', object>
  const typeRoots = [join(tools, '@types')]
  const config = { compilerOptions: { ...compilerOptions, typeRoots }, files: programs }
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify(config))
  await tool('typescript/bin/tsc', ['-p', '.'], cwd)
}

/** Bundles and runs a program. Returns what it prints. */
async function runProgramOf(program: string, cwd: string): Promise<string> {
  const { buildSync } = await import('esbuild')
  const outfile = join(cwd, 'program.mjs')
  buildSync({ entryPoints: [join(cwd, program)], outfile, bundle: true, platform: 'node', format: 'esm' })
  return (await run(process.execPath, [outfile], { cwd, env: { ...env, ...site.env } })).stdout
}

beforeAll(async () => {
  const lock = readFileSync(join(here, 'package-lock.json'), 'utf8')
  const installed = join(tools, '.installed')
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
    await npm(['ci'], here)
    writeFileSync(installed, lock)
  }
  folder = await temporaryFolder()
  site = await startSite()
  writeFileSync(join(folder.path, 'package.json'), '{ "private": true, "type": "module" }')
  // The packages of the generated programs.
  symlinkSync(tools, join(folder.path, 'node_modules'))
  const document = openApi(allRoutes, { version: '1.0.0', origin: site.env.SITE })
  writeFileSync(join(folder.path, 'openapi.json'), JSON.stringify(document))
}, MINUTES_MS)
afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await folder?.[Symbol.asyncDispose]()
})

test("the document has no problem by redocly's recommended rules", { timeout: MINUTES_MS }, async () => {
  const args = ['lint', '--extends', 'recommended', '--format', 'json', 'openapi.json']
  const { totals } = JSON.parse(await tool('@redocly/cli/bin/cli.js', args)) as { totals: object }
  expect(totals).toMatchObject({ errors: 0, warnings: 0 })
})

test("the document has no problem by spectral's recommended rules", { timeout: MINUTES_MS }, async () => {
  writeFileSync(join(folder.path, 'rules.yaml'), 'extends: spectral:oas\n')
  const args = [
    'lint',
    'openapi.json',
    '--ruleset',
    'rules.yaml',
    '--fail-severity',
    'hint',
    '--format',
    'json',
    '--quiet',
  ]
  const found = JSON.parse(await tool('@stoplight/spectral-cli/dist/index.js', args)) as unknown[]
  expect(found).toEqual([])
})

const GENERATORS = {
  'openapi-typescript': [
    'openapi-typescript/bin/cli.js',
    'openapi.json',
    '-o',
    'generated/openapi-typescript.ts',
  ],
  'hey-api': ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'generated/hey-api'],
  orval: [
    'orval/dist/bin/orval.js',
    '--input',
    './openapi.json',
    '--output',
    './generated/orval.ts',
    '--client',
    'fetch',
  ],
} as const

test.each(Object.entries(GENERATORS))(
  'a client of %s compiles and works',
  { timeout: MINUTES_MS },
  async (name, [generator, ...args]) => {
    mkdirSync(join(folder.path, 'generated'), { recursive: true })
    await tool(generator, args)
    const program = `${name}.ts`
    cpSync(join(here, 'programs', program), join(folder.path, program))
    await compile([program], folder.path)
    expect(await runProgramOf(program, folder.path)).toBe('goodLogin warm-up 500 badFlag\n')
  },
)

test('the typed client is packed and installed in an empty folder', { timeout: MINUTES_MS }, async () => {
  project = join(folder.path, 'project')
  mkdirSync(project)
  const root = join(here, '../..')
  await writeArchive(join(project, 'client.tgz'), await clientPackage(root, '1.0.0'), new Date())
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  await npm(['install', './client.tgz'], project)
  expect(existsSync(join(project, 'node_modules/@pennant/client/dist/client.d.ts'))).toBe(true)
})

const snippets = cookbookSnippets().map((snippet, index) => ({ ...snippet, index }))

test('the programs of the cookbook compile', { timeout: MINUTES_MS }, async () => {
  const programs = snippets.filter(({ language }) => language === 'ts')
  for (const { index, code } of programs) writeFileSync(join(project, `snippet-${index}.ts`), code)
  expect(programs.length).toBeGreaterThan(0)
  await compile(
    programs.map(({ index }) => `snippet-${index}.ts`),
    project,
  )
})

test.each(snippets)(
  'cookbook: $title ($language)',
  { timeout: MINUTES_MS },
  async ({ index, language, code, output }) => {
    if (language === 'sh') {
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', code], {
        cwd: folder.path,
        env: { ...env, ...site.env },
      })
      expect(isAsShown(stdout, output), stdout).toBe(true)
      return
    }
    const printed = await runProgramOf(`snippet-${index}.ts`, project)
    expect(isAsShown(printed, output), printed).toBe(true)
  },
)

test('an output that differs from the page is noticed', () => {
  expect(isAsShown('{"kind":"goodLogin","data":{}}\n', '{"kind":"goodLogin",…}\n')).toBe(true)
  expect(isAsShown('{"kind":"badToken"}\n', '{"kind":"goodLogin",…}\n')).toBe(false)
  expect(isAsShown('1 Cooks 500 more', '1 Cooks 500')).toBe(false)
})
