import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { bundleOptions } from '../build.mjs'

/** Removes a guard from the sources during bundling. The files in the checkout are not modified. */
export interface Edit {
  /** Path relative to the repository root. */
  readonly file: string
  /** Must occur exactly once. */
  readonly find: string
  readonly replace: string
}

const root = join(import.meta.dirname, '../..')

/** Bundles the server with the edit, or unchanged, and returns the path of the program. */
export async function buildServer(name: string, edit: Edit | null): Promise<string> {
  // Below the folder of the real bundle, because the program finds migrations and packages relative to
  // itself. Another process may build and delete the same mutant.
  const outdir = join(root, 'server/dist', `mutant-${name}-${process.pid}`)
  let applied = edit === null
  const plugin: Plugin = {
    name: 'edit',
    setup(bundler) {
      bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (edit === null || path !== join(root, edit.file)) return null
        applied = true
        return { contents: editText(await readFile(path, 'utf8'), edit), loader: 'ts' }
      })
    },
  }
  await build({
    ...bundleOptions,
    absWorkingDir: root,
    // Without shared chunks, both contain the guard.
    entryPoints: ['server/src/main.ts', 'server/src/child.ts'],
    outdir,
    plugins: [plugin],
  })
  if (!applied) throw new Error(`${edit?.file} is no part of the server: the mutant is out of date`)
  return join(outdir, 'main.js')
}

/** Throws if the source no longer contains the guard as the mutant expects it. */
export function editText(text: string, { file, find, replace }: Edit): string {
  const count = text.split(find).length - 1
  if (count !== 1)
    throw new Error(`${file} has ${count} times \`${find}\`: bring tools/mutants/mutants.ts up to date`)
  return text.replace(find, () => replace)
}
