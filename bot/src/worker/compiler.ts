import type { Plan, Report, Surroundings } from '../protocol.ts'
import { createDeferred } from './deferred.ts'
import { startChild, type ChildDeps } from './child.ts'

/** The service waits ten seconds for a check. */
const COMPILE_LIMIT_MS = 8_000

export interface Compiled {
  readonly code: string
  readonly plan: Plan
}

export type CompileResult = Compiled | { readonly detail: string }

export interface CompilerDeps extends ChildDeps {
  readonly surroundings: Surroundings
}

/** Compiles an author's code and runs it as far as its options, in a child. What is wrong with it is a text for the author. */
export async function compileSource(source: string, deps: CompilerDeps): Promise<CompileResult> {
  const answered = createDeferred<Report>()
  const child = await startChild('compile', deps, answered.resolve)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), COMPILE_LIMIT_MS)
  })
  try {
    child.send({ source, surroundings: deps.surroundings })
    const report = await Promise.race([answered.promise, late, child.gone])
    if (report === null) return { detail: `The code did not come to its end in ${COMPILE_LIMIT_MS} ms.` }
    if (typeof report === 'string') return { detail: 'The code ended the process that looked at it.' }
    if (report.type === 'compiled') return { code: report.code, plan: report.plan }
    return {
      detail: report.type === 'refused' ? report.detail : 'The code answered in the place of its check.',
    }
  } finally {
    clearTimeout(timer)
    await child.end()
  }
}
