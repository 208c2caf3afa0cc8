import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../server/test/folder.ts'
import { namesOfCommonJs } from './build.mjs'

/** Packages by name, each with its entry file. */
const PACKAGES = {
  'names.js': `exports.Redis = class {}; exports.delete = 1; exports['not-a-name'] = 2`,
  'compiled.js': `'use strict'; Object.defineProperty(exports, '__esModule', { value: true }); exports.default = 1; exports.a = 2`,
  'passed-on.js': `module.exports = require('./names.js')`,
  'function.js': `module.exports = () => 1; module.exports.twice = () => 2`,
  'module.mjs': `export const a = 1; export default 2`,
}

test('import() of a package has the same names in the bundle as in Node', async () => {
  await using folder = await temporaryFolder()
  const source = join(folder.path, 'node_modules/pack')
  await mkdir(source, { recursive: true })
  for (const [name, text] of Object.entries(PACKAGES)) await writeFile(join(source, name), text)
  await writeFile(join(source, 'package.json'), '{}')
  const imports = Object.keys(PACKAGES).map((name) => `import('pack/${name}')`)
  const entry = join(folder.path, 'entry.mjs')
  await writeFile(entry, `export const loaded = await Promise.all([${imports.join(', ')}])`)
  const outdir = join(folder.path, 'built')
  await build({
    entryPoints: [entry],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    plugins: [namesOfCommonJs],
  })

  // In a process without the test runner, which changes what `import()` returns.
  const shapeOf = (path: string): unknown => {
    const script = `const { loaded } = await import(process.argv[1])
      const shapes = loaded.map((all) => Object.keys(all).filter((name) => !/^(__esModule|module.exports)$/.test(name)).map((name) => [name, typeof all[name]]))
      console.log(JSON.stringify(shapes))`
    return JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', script, path], { encoding: 'utf8' }),
    )
  }
  const inNode = shapeOf(entry)
  expect(inNode).toContainEqual(expect.arrayContaining([['Redis', 'function']]))
  expect(shapeOf(join(outdir, 'entry.mjs'))).toEqual(inNode)
})
