import { compileSource, type Compiled, type CompilerDeps } from './compiler.ts'
import type { Service } from './service.ts'

/** Compiled code of as many challenges; those used last stay. */
const MAX_CHALLENGES = 256

interface Kept {
  readonly revision: string
  readonly compiled: Compiled
}

export interface Sources {
  /** The compiled code of a revision. Throws when it cannot be had, or does not compile. */
  load(challengeId: string, revision: string): Promise<Compiled>
}

/** Compiled code by challenge: one revision of each, since an old one has few jobs left. */
export function createSources(service: Pick<Service, 'readSource'>, deps: CompilerDeps): Sources {
  const kept = new Map<string, Kept>()
  return {
    async load(challengeId, revision) {
      const known = kept.get(challengeId)
      if (known?.revision === revision) return known.compiled
      const source = await service.readSource(challengeId, revision)
      const compiled = await compileSource(source.sourceCode, deps)
      if ('detail' in compiled) throw new Error(`the code does not compile: ${compiled.detail}`)
      kept.delete(challengeId)
      kept.set(challengeId, { revision: source.configRevision, compiled })
      const [oldest] = kept.keys()
      if (kept.size > MAX_CHALLENGES && oldest !== undefined) kept.delete(oldest)
      return compiled
    },
  }
}
