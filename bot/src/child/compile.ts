import { build, type BuildFailure, type Message, type PluginBuild } from 'esbuild'
import { AUTHOR_MODULE } from './evaluate.ts'

/** An error in an author's code; the message is for the author. */
export class CodeError extends Error {}

/** A longer list hides the first error, which matters most. */
const MAX_ERRORS = 5

/** Compiles TypeScript to a script whose only import is `@pennant/bot`. Types are stripped, not checked. */
export async function compile(source: string): Promise<string> {
  try {
    const { outputFiles } = await build({
      stdin: { contents: source, loader: 'ts', sourcefile: 'challenge.ts' },
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'neutral',
      target: 'node20',
      charset: 'utf8',
      sourcemap: 'inline',
      logLevel: 'silent',
      plugins: [{ name: 'only-author-module', setup: refuseOthers }],
    })
    return outputFiles[0]?.text ?? ''
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>
    if (!errors || errors.length === 0) throw error
    throw new CodeError(errors.slice(0, MAX_ERRORS).map(describe).join('\n'))
  }
}

function refuseOthers({ onResolve }: PluginBuild): void {
  onResolve({ filter: /.*/ }, ({ path, kind }) => {
    if (kind === 'entry-point') return undefined
    if (path === AUTHOR_MODULE) return { path, external: true }
    return { errors: [{ text: `Only '${AUTHOR_MODULE}' may be imported, not '${path}'.` }] }
  })
}

function describe({ text, location }: Message): string {
  return location ? `line ${location.line}, column ${location.column + 1}: ${text}` : text
}
