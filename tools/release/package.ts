import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isExternal } from '../build.mjs'
import { entriesOf, writeArchive, type ArchiveEntry } from './archive.ts'
import type { Part, ReleaseContext } from './part.ts'

/** The programs and the site as a package of npm: docs/operate/starting.md */
export const serverPackage: Part = {
  name: 'package',
  async build(context) {
    const name = `pennant-${context.version}.tgz`
    await writeArchive(join(context.out, name), await packageEntries(context), context.time)
    return [{ name, budgetBytes: BUDGET_BYTES }]
  },
}

/** Without the binaries of the database, which are packages of their own. */
const BUDGET_BYTES = 25e6

const FOLDERS = ['server/dist', 'web/dist', 'bot/dist']

/** Without source maps and type declarations, which are two thirds of a build, and what is only for tests. */
function isShipped(path: string): boolean {
  return !/\.map$|^types\/|^test-|^\.build\//.test(path)
}

export async function packageEntries(
  context: Pick<ReleaseContext, 'root' | 'built' | 'version' | 'commit'>,
): Promise<ArchiveEntry[]> {
  const { root, built } = context
  const folders = await Promise.all(
    FOLDERS.map((folder) => entriesOf(join(built, folder), `package/${folder}`, isShipped)),
  )
  return [
    ...folders.flat(),
    ...(await entriesOf(join(root, 'server/migrations'), 'package/server/migrations')),
    { path: 'package/package.json', content: `${JSON.stringify(manifestOf(context), null, 2)}\n` },
    { path: 'package/README.md', content: README },
    { path: 'package/LICENSE', file: join(root, 'LICENSE') },
  ]
}

interface Manifest {
  readonly description: string
  readonly license: string
  readonly engines: object
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

function readManifest(folder: string): Manifest & { readonly version: string } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest & { version: string }
}

function manifestOf({ root, version, commit }: Pick<ReleaseContext, 'root' | 'version' | 'commit'>): object {
  const { description, license, engines } = readManifest(root)
  return {
    name: 'pennant',
    version,
    description,
    license,
    type: 'module',
    engines,
    // npx runs the one with the name of the package.
    bin: { pennant: 'server/dist/main.js', 'pennant-bot': 'bot/dist/main.js' },
    gitHead: commit,
    ...externalPackages(root),
  }
}

/**
 * What the programs import instead of containing it, in the installed versions. A server needs pictures; the built-in database
 * is for one platform each, and what only the bot needs may be left out.
 */
function externalPackages(root: string): Pick<Manifest, 'dependencies' | 'optionalDependencies'> {
  const server = readManifest(join(root, 'server'))
  const bot = readManifest(join(root, 'bot'))
  const exact = (names: object) =>
    Object.fromEntries(
      Object.keys(names)
        .filter(isExternal)
        .toSorted()
        .map((name) => [name, lockedVersion(root, name)]),
    )
  return {
    dependencies: exact(server.dependencies ?? {}),
    optionalDependencies: exact({ ...server.optionalDependencies, ...bot.dependencies }),
  }
}

function lockedVersion(root: string, name: string): string {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { readonly version: string }>>
  }
  const locked = packages[`node_modules/${name}`]
  if (!locked) throw new Error(`package-lock.json has no ${name}`)
  return locked.version
}

const README = `# Pennant

A capture-the-flag contest platform that stays up.

\`\`\`sh
npx pennant demo    # an example event, with three links that open it
npx pennant serve   # an empty contest; the link for its first admin is printed
\`\`\`

\`pennant --help\` lists the commands. \`pennant-bot\` is the worker of the admin bot.
`
