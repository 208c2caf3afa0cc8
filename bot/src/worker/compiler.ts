import type { Plan, Report, Surroundings } from '../protocol.ts'
import { createDeferred } from './deferred.ts'
import { openSandbox, type SandboxDeps } from './sandbox.ts'

/** The server's timeout for a check is ten seconds. */
const COMPILE_LIMIT_MS = 8_000

export interface Compiled {
  readonly code: string
  readonly plan: Plan
}

export type CompileResult = Compiled | { readonly detail: string }

export interface CompilerDeps extends SandboxDeps {
  readonly surroundings: Surroundings
}

/**
 * Compiles an author's code in a child and runs it to get its options. Errors in it are texts for the author.
 */
export async function compileSource(source: string, deps: CompilerDeps): Promise<CompileResult> {
  const answered = createDeferred<Report>()
  const sandbox = await openSandbox(deps)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), COMPILE_LIMIT_MS)
  })
  try {
    const child = sandbox.start('compile', answered.resolve)
    child.send({ source, surroundings: deps.surroundings })
    const report = await Promise.race([answered.promise, late, child.gone])
    if (report === null) return { detail: `The code did not come to its end in ${COMPILE_LIMIT_MS} ms.` }
    if (typeof report === 'string') return { detail: 'The code ended the process that checked it.' }
    if (report.type === 'compiled') return { code: report.code, plan: report.plan }
    return {
      detail: report.type === 'refused' ? report.detail : 'The code answered in the place of its check.',
    }
  } finally {
    clearTimeout(timer)
    await sandbox.end()
  }
}
