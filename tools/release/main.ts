import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from '../build.mjs'
import type { Artefact, ReleaseContext } from './part.ts'
import { parts } from './parts.ts'

const USAGE = `npm run release -- [--out release] [--only part,…] [--twice] [--allow-dirty]

Builds a release of the current commit into a folder: ${parts.map(({ name }) => name).join(', ')}.

  --only         only these parts
  --twice        builds everything twice and compares the bytes
  --allow-dirty  accepts uncommitted changes; the version ends in "dirty"`

const root = fileURLToPath(new URL('../..', import.meta.url))
const RELEASE = join(root, 'release')
const SUMS = 'SHA256SUMS'

interface Options {
  readonly out: string
  readonly only: readonly string[]
  readonly isTwice: boolean
  readonly mayBeDirty: boolean
}

function readOptions(): Options | string {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: RELEASE },
      only: { type: 'string' },
      twice: { type: 'boolean', default: false },
      'allow-dirty': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return USAGE
  const names = parts.map(({ name }) => name)
  const only = values.only?.split(',') ?? names
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined) return `There is no part ${unknown}: use ${names.join(', ')}.`
  return { out: resolve(values.out), only, isTwice: values.twice, mayBeDirty: values['allow-dirty'] }
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`)
  return stdout.trim()
}

/** What is released: version, commit and time. Throws for uncommitted changes that are not allowed. */
function identify(mayBeDirty: boolean): Pick<ReleaseContext, 'version' | 'commit' | 'time'> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const changes = git('status', '--porcelain')
  if (changes !== '' && !mayBeDirty)
    throw new Error(`Commit these changes first, or add --allow-dirty:\n${changes}`)
  const seconds = Number(process.env['SOURCE_DATE_EPOCH'] ?? git('log', '-1', '--format=%ct'))
  if (!Number.isInteger(seconds)) throw new Error('SOURCE_DATE_EPOCH must be in whole seconds.')
  const dirty = changes === '' ? '' : version.includes('-') ? '.dirty' : '-dirty'
  return { version: version + dirty, commit: git('rev-parse', 'HEAD'), time: new Date(seconds * 1000) }
}

/** Empties the folder. Throws if it has something else than an earlier release. */
async function empty(out: string): Promise<void> {
  await mkdir(out, { recursive: true })
  const names = await readdir(out)
  if (out !== RELEASE && names.length > 0 && !names.includes(SUMS))
    throw new Error(`${out} has files that are no release: name another folder.`)
  for (const name of names) await rm(join(out, name), { recursive: true })
  // From now on, an interrupted run may be repeated.
  await writeFile(join(out, SUMS), '')
}

/** Builds the wanted parts into the folder and returns what they wrote. */
async function release(out: string, { only, mayBeDirty }: Options): Promise<readonly Artefact[]> {
  await empty(out)
  const built = await mkdtemp(join(tmpdir(), 'pennant-release-'))
  try {
    await build(root, { all: true, into: built })
    const identity = identify(mayBeDirty)
    const { version, commit } = identity
    await writeFile(join(built, 'server/dist/release.json'), `${JSON.stringify({ version, commit })}\n`)
    const artefacts: Artefact[] = []
    const context = { root, built, out, ...identity, artefacts, say: console.log }
    for (const part of parts.filter(({ name }) => only.includes(name))) {
      console.log(`${part.name}…`)
      artefacts.push(...(await part.build(context)))
    }
    return artefacts
  } finally {
    await rm(built, { recursive: true, force: true })
  }
}

/** Writes the sums, prints the sizes and returns the sums. Throws if a file exceeds its budget. */
async function finish(out: string, artefacts: readonly Artefact[]): Promise<string> {
  const lines: string[] = []
  for (const { name } of artefacts) lines.push(`${await sumOf(join(out, name))}  ${name}`)
  const sums = `${lines.toSorted((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join('\n')}\n`
  await writeFile(join(out, SUMS), sums)
  let isOver = false
  for (const { name, budgetBytes } of artefacts) {
    const { size } = statSync(join(out, name))
    const over = budgetBytes !== undefined && size > budgetBytes
    isOver ||= over
    const budget = budgetBytes === undefined ? '' : ` of ${inMegabytes(budgetBytes)}`
    console.log(`${over ? 'TOO LARGE' : '         '} ${inMegabytes(size)}${budget}  ${name}`)
  }
  if (isOver) throw new Error('A file exceeds its budget.')
  return sums
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1).padStart(6)} MB`
}

async function main(options: Options): Promise<void> {
  const { out } = options
  identify(options.mayBeDirty)
  const sums = await finish(out, await release(out, options))
  if (options.isTwice) {
    const second = await mkdtemp(join(tmpdir(), 'pennant-release-'))
    const again = await finish(second, await release(second, options))
    const differing = again.split('\n').filter((line) => !sums.includes(line))
    if (differing.length > 0)
      throw new Error(
        `Two builds differ, see ${second}:\n${differing.map((line) => line.slice(66)).join('\n')}`,
      )
    await rm(second, { recursive: true })
    console.log('Two builds are equal.')
  }
  console.log(out)
}

const options = readOptions()
if (typeof options === 'string') {
  console.log(options)
  process.exitCode = options === USAGE ? 0 : 2
} else {
  await main(options).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
}
