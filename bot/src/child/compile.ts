import { build, type BuildFailure, type Message, type PluginBuild } from 'esbuild'
import { authorModule } from './evaluate.ts'

/** What is wrong with an author's code, in words for the author. */
export class CodeError extends Error {}

/** Longer lists hide the first error, which is the one that matters. */
const MAX_ERRORS = 5

/** TypeScript to a script that asks for `@pennant/bot` alone. Types are stripped, not checked. */
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
    if (path === authorModule) return { path, external: true }
    return { errors: [{ text: `Only '${authorModule}' may be imported, not '${path}'.` }] }
  })
}

function describe({ text, location }: Message): string {
  return location ? `line ${location.line}, column ${location.column + 1}: ${text}` : text
}
