import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isExternal } from './build.mjs'

// Copies what a built server needs at run time into a folder that runs without npm:
//   node tools/package.mjs <folder>

const root = fileURLToPath(new URL('..', import.meta.url))

const PARTS = ['server/dist', 'server/migrations', 'server/package.json', 'web/dist', 'LICENSE']

/** Copies the server to the folder, which must not exist. */
export function packageServer(folder) {
  if (existsSync(folder)) throw new Error(`${folder} exists`)
  mkdirSync(folder, { recursive: true })
  for (const part of PARTS) {
    const source = join(root, part)
    if (!existsSync(source)) throw new Error(`${part} is missing: run \`npm run build\` first`)
    cpSync(source, join(folder, part), { recursive: true, filter: isShipped })
  }
  for (const name of runtimePackages()) {
    const source = join(root, 'node_modules', name)
    const to = join(folder, 'node_modules', name)
    cpSync(realpathSync(source), to, { recursive: true, dereference: false, filter: isLoaded })
  }
}

/** Source maps and type declarations are two thirds of the build. */
function isShipped(path) {
  return !path.endsWith('.map') && !path.endsWith(`${sep}dist${sep}types`)
}

/** What only compiling against PostgreSQL needs is not. */
function isLoaded(path) {
  return !/\.a$|[\\/]pkgconfig$/.test(path)
}

/** Installed packages that the bundle imports instead of containing them, with their dependencies. */
function runtimePackages() {
  const { dependencies, optionalDependencies } = readManifest(join(root, 'server'))
  const wanted = Object.keys({ ...dependencies, ...optionalDependencies }).filter(isExternal)
  const found = new Set()
  // Ends, because each package is visited once.
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const folder = join(root, 'node_modules', name)
    // Packages for other platforms are not installed.
    if (found.has(name) || !existsSync(folder)) continue
    found.add(name)
    const manifest = readManifest(folder)
    wanted.push(...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
  }
  return [...found]
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === resolve(process.argv[1])) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('usage: node tools/package.mjs <folder>')
  packageServer(resolve(folder))
}
